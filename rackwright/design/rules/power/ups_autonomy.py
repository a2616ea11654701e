"""The batteries of every feed carry it until generators do, also after a declared loss of feeds or of UPS modules."""

from __future__ import annotations

from rackwright.design.power.rack_losses import while_lost
from rackwright.design.power.survey import survey_power
from rackwright.design.power.worst_loads import worst_feeds
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome

SOURCE = "site facility.power.ups.bridge_minutes"


def judge(design: Design) -> Judged:
    """Per feed, where the site says how long they must carry it.

    A battery that carries full load for some minutes carries a part of it for longer, by more than the inverse of the load: that inverse is
    what is counted on.
    """
    survey, power = survey_power(design), design.site.facility.power
    ups = power.ups
    if ups is None or ups.bridge_minutes is None:
        return
    expected = f"at least {ups.bridge_minutes:g} min"
    if ups.minutes is None:
        yield "ups", _unknown(expected)
        return
    worst, what = worst_feeds(survey)
    lost = min(power.survive.ups, survey.limits.modules)
    for at, feed in enumerate(power.feeds):
        cases = [
            (float(worst[at]), survey.limits.modules, what[at]),
            (float(survey.undisturbed.feeds[at]), survey.limits.modules - lost, f"{lost} UPS of it" if lost else ""),
        ]
        load, modules, why = max(cases, key=lambda case: case[0] / max(case[1], 1e-9))
        if not load:
            continue
        minutes = ups.minutes * modules * survey.limits.module / load
        observed = f"{minutes:.1f} min at {load / 1000:.1f} kW {while_lost(why)}"
        says = f"The batteries of feed {feed} last {observed}"
        step = "order batteries for more minutes (facility.power.ups.minutes), or raise ups.per_feed"
        yield feed, finding(minutes >= ups.bridge_minutes, observed, expected, SOURCE, says, step)


def _unknown(expected: str) -> Finding:
    return Finding(
        outcome=Outcome.INCONCLUSIVE,
        observed="nothing",
        expected=expected,
        source=SOURCE,
        says=f"How long the batteries of the UPS last is not declared; expected {expected} ({SOURCE}).",
        next_step="declare facility.power.ups.minutes, as the batteries are ordered",
    )


RULE = DesignRule("ups_autonomy", "UPS batteries bridge the start of generators", judge)
