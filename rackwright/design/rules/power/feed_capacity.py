"""After the declared loss of feeds, no feed carries more than it can."""

from __future__ import annotations

from collections import defaultdict

from rackwright.design.rules.power.survival import Survival, named
from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per feed: its highest load under any loss."""
    survival = Survival(design)
    feed_of = dict(design.circuits.select("circuit", "feed").iter_rows())
    power = design.site.facility.power
    worst: dict[str, tuple[float, frozenset[str]]] = {}
    for lost in survival.losses():
        load: dict[str, float] = defaultdict(float)
        for circuit, watts in survival.circuit_watts(lost).items():
            load[feed_of[circuit]] += watts / 1000
        for feed in power.feeds:
            if feed not in worst or load[feed] > worst[feed][0]:
                worst[feed] = (load[feed], lost)
    for feed, (kilowatts, lost) in worst.items():
        observed = f"{kilowatts:.1f} kW {named(lost)}"
        says = f"Feed {feed} carries {observed}"
        expected = f"at most {power.feed_kw} kW"
        yield feed, finding(kilowatts <= power.feed_kw, observed, expected, "site facility.power.feed_kw", says)


RULE = Rule("feed_capacity", "Feeds survive the loss of a feed", judge)
