"""Sites as their engineers would declare them are designed as their arithmetic by hand has it, which stands at the top of each file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
import pytest

from rackwright import design, spec
from rackwright.model.verdict import Outcome
from tests.rotation import of_this_run

FOLDER = Path(__file__).resolve().parents[2] / "sites" / "users"
CLEAN = (Outcome.PASS, Outcome.NOT_RUN, Outcome.INCONCLUSIVE)
"""What no engineer would raise; inconclusive: figures that no maker publishes."""


@dataclass(frozen=True)
class ByHand:
    """What comes out on paper."""

    racks: int
    kilowatts: float
    switches: dict[str, tuple[int, ...]]
    """Leaves, spines, cores of every fabric."""
    plugs: dict[str, str]
    """By fabric: form of the nodes' cages and that of the plug at the other end, of the cables to nodes."""
    circuits: int
    liquid: float = 0.0
    raised: set[tuple[str, str]] = field(default_factory=set)
    """Rule and target of what an engineer would raise."""


OSFP, QSFP112 = "OSFP-RHS > OSFP", "QSFP112 > OSFP"
SITES = {
    "b200-roce": ByHand(
        27,
        1453.01,
        {"compute": (16, 8, 0), "storage": (8, 4, 0), "inband": (8, 3, 0), "oob": (5, 0, 0)},
        {"compute": OSFP, "storage": "QSFP112 > QSFP-DD"},
        81,
    ),
    "nvl72": ByHand(
        55,
        5312.12,
        {"compute": (160, 120, 45), "inband": (40, 21, 0), "oob": (34, 0, 0)},
        {"compute": OSFP},
        348,
        4087.26,
    ),
    "mi355x": ByHand(
        6, 470.59, {"compute": (8, 2, 0), "inband": (2, 0, 0), "oob": (1, 0, 0)}, {"compute": QSFP112}, 40, 389.76
    ),
    "ascend-910c": ByHand(
        6,
        107.09,
        {"rdma": (8, 2, 0), "inband": (2, 0, 0), "oob": (1, 0, 0)},
        {"rdma": "QSFP56 > QSFP-DD"},
        30,
        raised={("phase_balance", "B")},
    ),
    "h100-beside-l40s": ByHand(
        12,
        398.84,
        {"compute": (8, 4, 0), "rails": (2, 0, 0), "inband": (4, 3, 0), "oob": (2, 0, 0)},
        {"compute": OSFP, "rails": OSFP},
        36,
    ),
    "collapsed-pair": ByHand(
        5, 77.95, {"compute": (0, 0, 2), "inband": (0, 0, 2), "oob": (1, 0, 0)}, {"compute": QSFP112}, 10
    ),
    "four-feeds-415": ByHand(
        10, 348.83, {"compute": (8, 4, 0), "inband": (2, 0, 0), "oob": (1, 0, 0)}, {"compute": OSFP}, 40
    ),
    "volts-208": ByHand(
        10, 182.19, {"compute": (8, 2, 0), "inband": (2, 0, 0), "oob": (1, 0, 0)}, {"compute": OSFP}, 30
    ),
    "two-halls": ByHand(
        19, 699.45, {"compute": (16, 8, 0), "inband": (4, 2, 0), "oob": (3, 0, 0)}, {"compute": OSFP}, 57
    ),
    "amps-32-700-kg": ByHand(
        19, 166.59, {"compute": (8, 2, 0), "inband": (2, 0, 0), "oob": (1, 0, 0)}, {"compute": QSFP112}, 38
    ),
    "lab": ByHand(2, 23.91, {"compute": (1, 0, 0), "inband": (2, 0, 0), "oob": (1, 0, 0)}, {"compute": OSFP}, 3),
    "gb300-16416": ByHand(
        381,
        32968.71,
        {"compute": (228, 228, 114), "inband": (228, 150, 75), "oob": (183, 0, 0)},
        {"compute": OSFP},
        2186,
        26333.316,
        # the last pod has 12 of 72 leaves
        {("uplink_balance", "compute"), ("uplink_balance", "inband")},
    ),
}


@pytest.mark.parametrize("name", of_this_run(sorted(SITES), 5))
def test_as_by_hand(name):
    by_hand = SITES[name]
    loaded = spec.load(FOLDER / f"{name}.yaml")
    site = design.expand(loaded.site, loaded.catalog)
    totals = site.totals
    assert (totals["racks"], totals["it_kw"]) == (by_hand.racks, by_hand.kilowatts)
    assert totals["liquid_kw"] == pytest.approx(by_hand.liquid)
    assert site.circuits.height == by_hand.circuits
    assert {fabric: tuple(totals["fabrics"][fabric][tier] for tier in ("leaf", "spine", "core")) for fabric in by_hand.switches} == by_hand.switches  # fmt: skip
    assert {fabric: plugs(site, fabric) for fabric in by_hand.plugs} == by_hand.plugs
    verdicts = design.rules.run_rules(site)
    raised = {
        (verdict.check.removeprefix("design."), verdict.target) for verdict in verdicts if verdict.outcome not in CLEAN
    }
    assert raised == by_hand.raised
    assert not [verdict.says for verdict in verdicts if verdict.outcome is Outcome.FAIL]


def plugs(site, fabric: str) -> str:
    """The form of the cages at both ends of the cables to nodes, as their plugs have it: ``OSFP-RHS > OSFP``."""
    used = site.cables.filter((pl.col("fabric") == fabric) & (pl.col("kind") == "node_leaf"))["sku"].unique()
    parts = [site.cable_parts[sku] for sku in used]
    (forms,) = {f"{part.node_form or part.form} > {part.form}" for part in parts}
    return forms


def test_every_site_has_its_arithmetic():
    assert {path.stem for path in FOLDER.glob("*.yaml")} == set(SITES)


def test_two_nodes_a_rack_are_too_much_for_32_amps():
    loaded = spec.load(FOLDER / "amps-32-700-kg.yaml")
    (pool,) = loaded.site.pools
    crowded = loaded.site.model_copy(update={"pools": [pool.model_copy(update={"servers_per_rack": 2})]})
    site = design.expand(crowded, loaded.catalog)
    failed = {
        (verdict.check, verdict.target) for verdict in design.rules.run_rules(site) if verdict.outcome is Outcome.FAIL
    }
    assert failed == {("design.rack_circuits", "train-r01")}


def test_b200_on_three_feeds_does_not_survive_one_without_its_cap():
    loaded = spec.load(FOLDER / "b200-roce.yaml")
    power = loaded.site.facility.power.model_copy(update={"caps": []})
    facility = loaded.site.facility.model_copy(update={"power": power})
    site = design.expand(loaded.site.model_copy(update={"facility": facility}), loaded.catalog)
    failed = {verdict.check for verdict in design.rules.run_rules(site) if verdict.outcome is Outcome.FAIL}
    assert failed == {"design.power_supplies"}


def test_racks_hang_on_the_feeds_of_their_hall():
    loaded = spec.load(FOLDER / "two-halls.yaml")
    site = design.expand(loaded.site, loaded.catalog)
    halls = dict(site.racks.select("rack", "hall").iter_rows())
    by_hall: dict[str, set[str]] = {}
    for rack, feed in site.circuits.select("rack", "feed").iter_rows():
        by_hall.setdefault(halls[rack], set()).add(feed)
    assert by_hall == {"hall-1": {"A1", "B1", "C1"}, "hall-2": {"A2", "B2", "C2"}}
    ways = site.power.filter(pl.col("kind") == "busway").select("element", "feed")
    assert dict(ways.iter_rows()) == {
        f"hall-{hall}-row1-{feed}{hall}": f"{feed}{hall}" for hall in (1, 2) for feed in "ABC"
    }
    feeds = {row["element"]: row for row in site.power.filter(pl.col("kind") == "feed").iter_rows(named=True)}
    assert all(row["worst_loss"].endswith(feed[-1]) for feed, row in feeds.items())  # of the same hall
    assert all(row["worst_watts"] < 181_000 for row in feeds.values())
