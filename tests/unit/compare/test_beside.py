"""Where a fleet stands, by exact numbers: eight nodes that read alike, and some that do not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright import compare
from rackwright.compare.bounds import Bounds
from rackwright.judge.limits import LimitTable
from rackwright.model.verdict import Outcome
from tests import build
from tests.examples import examples

ALARMS = 0.08
POLICY = {
    "peers.fewest": 4,
    "peers.false_alarms": ALARMS,
    "peers.warn_share": 0.9,
    "policy.floor_share": 0.8,
    "peers.warn_kelvin": 5,
    "peers.fail_kelvin": 10,
    "peers.warn_count": 2,
    "peers.fail_count": 8,
}
LIMITS = LimitTable((), tuple(build.row(build.limit(name, value=value)) for name, value in POLICY.items()))
HOT = compare.Claim("temperature", "temperature", "celsius", high=True, by="kelvin")
SLOW = compare.Claim("hbm", "bandwidth", "GB/s", high=False, by="share")
ERRORS = compare.Claim("replays", "replays", "errors", high=True, by="count")
SOURCE = "(limit peers.false_alarms: a paper, 2026-01-01)"
BASE = replace(build.expectation(), limits=LIMITS, places={})


def named(name: str, **places: str):
    return replace(BASE, node=replace(BASE.node, name=name), places=places)


def beside(claim, *values, slot: str = "GPU"):
    """The findings of nodes ``n0``, ``n1``, ... with one reading each."""
    fleet = [(named(f"n{number}"), [compare.Reading("GPU 0", slot, value)]) for number, value in enumerate(values)]
    return [*compare.compare_with_peers(fleet, claim).values()]


@pytest.mark.parametrize(
    ("claim", "normal", "odd", "outcome"),
    [
        (HOT, 40, 45, "pass"),
        (HOT, 40, 45.1, "degraded"),
        (HOT, 40, 50, "degraded"),
        (HOT, 40, 50.1, "fail"),
        (HOT, 40, 1, "pass"),
        (SLOW, 100, 90.1, "pass"),
        (SLOW, 100, 89.9, "degraded"),
        (SLOW, 100, 80.1, "degraded"),
        (SLOW, 100, 79.9, "fail"),
        (SLOW, 100, 200, "pass"),
        (ERRORS, 0, 2, "pass"),
        (ERRORS, 0, 3, "degraded"),
        (ERRORS, 0, 9, "fail"),
    ],
)
def test_bounds_of_a_fleet_that_reads_alike(claim, normal, odd, outcome) -> None:
    *peers, finding = beside(claim, *[normal] * 8, odd)
    assert finding.outcome == outcome
    assert {peer.outcome for peer in peers} == {Outcome.PASS}
    assert (finding.value, finding.limit, finding.unit) == (odd, normal, claim.unit)


def test_the_sentence_of_a_part() -> None:
    *peers, hot = beside(HOT, *[40] * 8, 47)
    expected = "expected at most 5 celsius above its peers, or as much as chance explains"
    chance = f"(false alarm in 8% of healthy fleets) {SOURCE}"
    says = "temperature GPU 0: 47 celsius, 7 celsius above the median 40 of 9 peers"
    assert hot.says == f"n8: {says}; {expected} {chance}"
    assert peers[0].says == f"n0: temperature 40 celsius (GPU 0), median of 9 peers 40; {expected} {chance}"
    *_, slow = beside(SLOW, *[100] * 8, 85)
    expected = "expected at most 10.0% below its peers, or as much as chance explains"
    says = "bandwidth GPU 0: 85 GB/s, 15.0% below the median 100 of 9 peers"
    assert slow.says == f"n8: {says}; {expected} {chance}"


def test_how_many_peers_it_takes() -> None:
    assert {finding.outcome for finding in beside(HOT, 40, 40, 40, 40)} == {Outcome.PASS}
    findings = beside(HOT, 40, 40, 40, None)
    assert [finding.outcome for finding in findings] == ["not_run"] * 3 + ["inconclusive"]
    assert findings[0].observed == "GPU 0 compared with nothing: fewer than 4 like it were read"
    assert findings[3].observed == "no reading of GPU 0"
    assert findings[0].value is None


def test_chance_explains_what_a_wide_fleet_shows() -> None:
    values = [30, 35, 40, 45, 50, 38, 42, 40]
    spread = compare.spread([*values, 40])
    edge = 40 + spread.distance(ALARMS / 9)
    assert beside(HOT, *values, 40)[4].outcome == Outcome.PASS
    assert 50 < edge < 80
    *_, inside = beside(HOT, *values, 40.0, edge)
    assert inside.outcome == Outcome.PASS
    assert beside(HOT, *values, 40.0, 90)[-1].outcome == Outcome.FAIL


def test_a_node_with_several_parts_is_judged_by_its_worst() -> None:
    fleet = [
        (named(f"n{number}"), [compare.Reading(f"GPU {part}", f"GPU {part}", 40.0 + part) for part in range(3)])
        for number in range(6)
    ]
    odd = [compare.Reading(f"GPU {part}", f"GPU {part}", value) for part, value in enumerate((46.0, 60.0, None))]
    findings = compare.compare_with_peers([*fleet, (named("odd"), odd)], HOT)
    assert findings["odd"].outcome == Outcome.FAIL
    assert findings["odd"].observed == (
        "GPU 0: 46 celsius, 6 celsius above the median 40 of 7 peers; "
        "GPU 1: 60 celsius, 19 celsius above the median 41 of 7 peers; no reading of GPU 2"
    )
    assert (findings["odd"].value, findings["odd"].limit) == (60, 41)
    degraded = compare.compare_with_peers([*fleet, (named("odd"), odd[::2])], HOT)["odd"]
    assert degraded.outcome == Outcome.INCONCLUSIVE
    stranger = [odd[0], compare.Reading("GPU 9", "GPU 9", 40.0)]
    alone = compare.compare_with_peers([*fleet, (named("odd"), stranger)], HOT)["odd"]
    assert (alone.outcome, alone.observed.split("; ")[1]) == (
        Outcome.DEGRADED,
        "GPU 9 compared with nothing: fewer than 4 like it were read",
    )
    assert compare.compare_with_peers([*fleet, (named("odd"), [])], HOT)["odd"].observed == "nothing to read"


def racks(*degrees: float, nodes: int = 2):
    """Racks of `nodes` nodes, all of which read these degrees."""
    return [
        (named(f"r{rack}n{number}", rack=f"r{rack}"), [compare.Reading("GPU 0", "GPU 0", value)])
        for rack, value in enumerate(degrees)
        for number in range(nodes)
    ]


@pytest.mark.parametrize(
    ("degrees", "outcomes"),
    [
        ((40, 40, 40, 40, 51), ["pass"] * 4 + ["fail"]),
        ((40, 40, 40, 40, 46), ["pass"] * 4 + ["degraded"]),
        ((40, 40, 40, 40, 45), ["pass"] * 5),
        ((40, 40, 46), ["pass"] * 2 + ["degraded"]),
    ],
)
def test_racks_beside_racks(degrees, outcomes) -> None:
    findings = compare.compare_with_peers(racks(*degrees), HOT)
    assert [findings[f"r{rack}n1"].outcome for rack in range(len(degrees))] == outcomes
    last = findings[f"r{len(degrees) - 1}n0"].observed.split("; ")
    more = f"{degrees[-1] - 40:g} celsius"
    place = f"rack r{len(degrees) - 1} as a whole stands out among {len(degrees)} by {more}"
    assert last[1:] == ([place] if outcomes[-1] != "pass" and len(degrees) > 3 else [])


def test_a_rack_of_one_node_is_no_place() -> None:
    findings = compare.compare_with_peers([*racks(40, 40, 40, 40), *racks(60, nodes=1)], HOT)
    assert "rack" not in findings["r0n0"].observed
    findings = compare.compare_with_peers(
        [*racks(40, 40, 40, 40), (named("alone", rack="r9"), [compare.Reading("a", "GPU 0", 60.0)])], HOT
    )
    assert findings["alone"].outcome == Outcome.FAIL
    assert "rack" not in findings["alone"].observed


def test_a_node_in_an_odd_rack_is_named_though_its_own_part_is_good() -> None:
    fleet = racks(40, 40, 40, 40, 52, nodes=3)
    fleet[-1] = (fleet[-1][0], [compare.Reading("GPU 0", "GPU 0", 40.0)])
    finding = compare.compare_with_peers(fleet, HOT)["r4n2"]
    assert (finding.outcome, finding.observed) == (
        Outcome.FAIL,
        "rack r4 as a whole stands out among 5 by 12 celsius",
    )


@examples(60)
@given(st.floats(0, 100), st.floats(0, 40), st.floats(0, 20), st.sampled_from([HOT, SLOW]))
def test_a_better_reading_is_never_judged_worse(value, better, chance, claim) -> None:
    bounds = Bounds(claim, 4, ALARMS, 0.1, 0.2)
    order = [Outcome.PASS, Outcome.DEGRADED, Outcome.FAIL]
    before, after = (
        order.index(bounds.outcome(bounds.difference(reading, 50), chance))
        for reading in (value, value - better if claim.high else value + better)
    )
    assert after <= before


@examples(40)
@given(st.permutations(range(9)))
def test_the_order_of_nodes_does_not_matter(order) -> None:
    values = [40.0, 41, 39, 60, 40, None, 46, 40, 38]
    fleet = [(named(f"n{number}"), [compare.Reading("GPU", "GPU", value)]) for number, value in enumerate(values)]
    findings = compare.compare_with_peers([fleet[number] for number in order], HOT)
    assert list(findings) == [f"n{number}" for number in order]
    assert {name: finding.says for name, finding in compare.compare_with_peers(fleet, HOT).items()} == {
        name: finding.says for name, finding in findings.items()
    }


@pytest.mark.parametrize(
    ("chance", "difference", "outcome"),
    [(0, 5, "pass"), (7, 7, "pass"), (7, 7.1, "degraded"), (20, 15, "pass"), (0, 10, "degraded"), (0, 10.1, "fail")],
)
def test_a_difference_must_matter_and_be_no_chance(chance, difference, outcome) -> None:
    assert Bounds(HOT, 4, ALARMS, 5, 10).outcome(difference, chance) == outcome


def test_the_unit_of_a_difference() -> None:
    shares, counts = (Bounds(claim, 4, ALARMS, 0.1, 0.2) for claim in (SLOW, ERRORS))
    assert (shares.difference(90, 100), shares.difference(120, 100), counts.difference(3, 1)) == (0.1, -0.2, 2)
    assert shares.difference(-3, 0) == 3
