from __future__ import annotations

import pytest

from rackwright import gate
from rackwright.gate.evidence_age import old_evidence
from rackwright.gate.groups import node_groups
from rackwright.model.gate import Gate, Hold
from rackwright.model.times import parse_time
from rackwright.model.verdict import Outcome
from tests import build

NOW = parse_time("2026-11-21T10:00:00+00:00")
NODES = ("train-001", "train-002", "train-003", "train-004")
NODE = Gate(name="node", allow_degraded=True, checks=["gpu.*"])


def step(name: str, **change) -> Gate:
    return Gate(**({"name": name, "allow_degraded": True, "checks": ["gpu.*"]} | change))


def decide(chain, *, bad=(), degraded=(), coverage=None, holds=(), extra=(), taken_at=NOW, around=None, waivers=()):
    verdicts = [
        build.verdict(
            "gpu.count", node, Outcome.FAIL if node in bad else Outcome.DEGRADED if node in degraded else Outcome.PASS
        )
        for node in NODES
    ]
    members = {"rack": {"r1": NODES}, "fabric": {"compute": NODES}, "site": {"pod": NODES}}
    takes = dict.fromkeys(NODES, taken_at)
    case = gate.GateInput(
        [*verdicts, *extra], NODES, waivers, NOW, takes, members, coverage or {}, holds, around=around or {}
    )
    return gate.decide_all(chain, case)


def accepted(decisions) -> list[str]:
    return [decision.node for decision in decisions if decision.accepted]


@pytest.mark.parametrize(("bad", "is_open"), [(NODES[:1], True), (NODES[:2], False), ((), True)])
def test_a_rack_opens_when_enough_of_its_nodes_passed(bad, is_open: bool) -> None:
    decisions, [rack] = decide([NODE, step("rack", scope="rack", share=0.75)], bad=bad)
    assert (rack.open, rack.passed, rack.covered) == (is_open, 4 - len(bad), 4)
    assert accepted(decisions) == [node for node in NODES if node not in bad]  # good nodes serve all the same


def test_a_closed_rack_that_holds_keeps_its_good_nodes_out() -> None:
    decisions, [rack] = decide([NODE, step("rack", scope="rack", share=0.75, holds=True)], bad=NODES[:2])
    assert not rack.open
    assert accepted(decisions) == []
    assert decisions[3].blocking == ["gate.rack"]
    assert decisions[3].reason == (
        "rackwright: gate.rack: rack r1 stays closed: 50 % of 4 covered nodes passed, 75 % required"
    )


@pytest.mark.parametrize(
    ("outcome", "waived", "is_open"),
    [
        (Outcome.FAIL, False, False),
        (Outcome.INCONCLUSIVE, False, False),
        (Outcome.FAIL, True, True),
        (Outcome.DEGRADED, False, True),
        (Outcome.NOT_RUN, False, True),
    ],
)
def test_one_node_closes_the_whole_where_its_check_tells_of_the_whole(outcome, waived: bool, is_open: bool) -> None:
    says = "train-001: between tenants, a to b: reached"
    verdict = build.verdict("tenancy.network", "train-001", outcome, says=says)
    gates = [NODE, step("rack", scope="rack", share=0.5, when_run=["tenancy.*"], closes=["tenancy.*"])]
    waivers = [build.waiver(check="tenancy.network", node="train-001")] if waived else []
    decisions, [rack] = decide(gates, extra=[verdict], waivers=waivers)
    assert rack.open is is_open, rack.reason
    assert is_open or f"tenancy.network: {says}" in rack.reason
    assert accepted(decisions) == [*(NODES if is_open else NODES[1:])]


@pytest.mark.parametrize(("cables", "is_open"), [((19, 20), True), ((18, 20), False)])
def test_a_fabric_asks_how_much_of_it_was_seen(cables, is_open: bool) -> None:
    _, [fabric] = decide([step("fabric", scope="fabric", coverage=0.95)], coverage={"compute": cables})
    assert fabric.open is is_open
    assert f"{100 * cables[0] // 20} % of 20 planned cables" in fabric.reason


def test_a_verdict_on_the_rack_itself_decides_for_the_rack() -> None:
    verdict = build.verdict("gpu.spread", "r1", Outcome.FAIL, says="r1: one node is slow")
    _, [rack] = decide([step("rack", scope="rack")], extra=[verdict])
    assert not rack.open
    assert "gpu.spread: r1: one node is slow" in rack.reason


def test_the_last_gate_allows_no_degraded_node() -> None:
    chain = [NODE, step("handover", scope="site", allow_degraded=False, share=1.0)]
    decisions, [site] = decide(chain, degraded=NODES[1:2])
    assert accepted(decisions) == [NODES[0], *NODES[2:]]
    assert (site.open, site.passed) == (False, 3)


def test_old_evidence_refuses_at_the_gate_that_asks_for_its_age() -> None:
    chain = [NODE, step("rack", scope="rack"), step("handover", scope="site", evidence=build.age())]
    decisions, [rack, site] = decide(chain, taken_at=parse_time("2026-11-20T09:00:00+00:00"))
    assert (rack.open, site.open) == (True, False)
    assert decisions[0].blocking == ["evidence.age"]
    assert decisions[0].holds[0].says == (
        "evidence of 2026-11-20, 25 hours old, 24 allowed: collect again, and burn in again where that is the old part"
    )


@pytest.mark.parametrize(
    ("taken_at", "count"),
    [("2026-11-21T09:00:00", 0), ("2026-11-21T12:00:00Z", 1), ("2026-11-19T00:00:00Z", 1), ("", 0)],
)
def test_age(taken_at: str, count: int) -> None:
    collected = {"a": parse_time(taken_at)} if taken_at else {}
    assert len(old_evidence(collected, step("x", evidence=build.age()), NOW, ["a", "b"])) == count
    assert old_evidence(collected, step("x"), NOW, ["a"]) == []


def test_a_hold_refuses_and_no_waiver_covers_it() -> None:
    hold = Hold(node=NODES[0], rule="repair.rejoin", says="GPU 3 must pass gpu.count again")
    decisions, _ = decide([NODE], holds=[hold])
    assert decisions[0].reason == "rackwright: repair.rejoin: GPU 3 must pass gpu.count again"
    assert accepted(decisions) == list(NODES[1:])


@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_test_that_may_be_left_out_decides_when_it_was_run(outcome: Outcome) -> None:
    gate_step = step("node", checks=["gpu.*"], when_run=["gpu.burn*"])
    [decision] = gate.decide_nodes(
        [build.verdict("gpu.count"), build.verdict("gpu.burn", outcome=outcome)], gate_step, [], NOW.date()
    )
    assert decision.accepted is (outcome in (Outcome.PASS, Outcome.DEGRADED, Outcome.NOT_RUN))
    assert decision.untested == (["gpu.burn"] if outcome is Outcome.NOT_RUN else [])


@pytest.mark.parametrize("outcome", list(Outcome))
def test_an_advisory_check_decides_nothing_whatever_matches_it(outcome: Outcome) -> None:
    gate_step = step("node", advisory=["gpu.fan"])
    [decision] = gate.decide_nodes(
        [build.verdict("gpu.count"), build.verdict("gpu.fan", outcome=outcome)], gate_step, [], NOW.date()
    )
    assert decision.accepted


def test_a_part_that_a_node_lacks_does_not_refuse_it_and_one_that_it_has_does() -> None:
    gate_step = step("node", where_they_apply=["nvlink.*"])
    assert gate.decide_nodes([build.verdict("gpu.count")], gate_step, [], NOW.date())[0].accepted
    bad = build.verdict("nvlink.links", outcome=Outcome.NOT_RUN)
    assert not gate.decide_nodes([build.verdict("gpu.count"), bad], gate_step, [], NOW.date())[0].accepted


def test_groups_of_the_example_site() -> None:
    groups = node_groups(build.site_design(), ["train-001", "train-005"])
    assert list(groups["rack"]) == ["train-r01", "train-r02"]
    assert groups["cluster"] == {"train": ["train-001", "train-005"]}
    both = ["train-001", "train-005"]
    assert groups["fabric"] == {"compute": both, "storage": both, "inband": both}
    assert node_groups(build.site_design(), ["train-005", "slurm-01", "train-001"])["fabric"] == {
        "compute": both[::-1],
        "storage": both[::-1],
        "inband": ["train-005", "slurm-01", "train-001"],
    }
    assert groups["site"] == {"h100-pod": ["train-001", "train-005"]}


PLANT = {"r1": ["r1-A1-pdu"], "pod": ["cdu-01"]}
CHAIN = [NODE, step("rack", scope="rack", where_they_apply=["power.*"]), step("handover", scope="site", where_they_apply=["power.*", "cooling.*"])]  # fmt: skip


@pytest.mark.parametrize("outcome", [Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.NOT_RUN])
def test_a_pdu_refuses_its_rack_and_no_node(outcome) -> None:
    dead = build.verdict("power.voltage", "r1-A1-pdu", outcome)
    decisions, [rack, site] = decide(CHAIN, extra=[dead], around=PLANT)
    assert accepted(decisions) == list(NODES)
    assert not rack.open
    assert "power.voltage" in rack.reason
    assert site.open


def test_a_cdu_refuses_the_site() -> None:
    leak = build.verdict("cooling.leaks", "cdu-01", Outcome.FAIL)
    decisions, [rack, site] = decide(CHAIN, extra=[leak], around=PLANT)
    assert accepted(decisions) == list(NODES)
    assert rack.open
    assert not site.open
    assert "cooling.leaks" in site.reason


def test_a_waiver_of_a_pdu_holds_for_what_was_seen_alone() -> None:
    waiver = build.waiver("power.balance", "r1-A1-pdu")
    fail, blind = (
        build.verdict("power.balance", "r1-A1-pdu", outcome) for outcome in (Outcome.FAIL, Outcome.INCONCLUSIVE)
    )
    _, [open_rack, _] = decide(CHAIN, extra=[fail], around=PLANT, waivers=[waiver])
    _, [closed_rack, _] = decide(CHAIN, extra=[blind], around=PLANT, waivers=[waiver])
    assert (open_rack.open, closed_rack.open) == (True, False)


@pytest.mark.parametrize(
    ("change", "is_open"),
    [
        ({}, True),
        ({"until": "2026-11-21"}, True),
        ({"until": "2026-11-20"}, False),
        ({"check": "power.load"}, False),
        ({"node": "r1-B1-pdu"}, False),
        ({"object": "L1"}, False),
    ],
)
def test_a_waiver_of_a_pdu_is_of_one_check_until_its_last_day(change, is_open: bool) -> None:
    waiver = build.waiver(**({"check": "power.balance", "node": "r1-A1-pdu"} | change))
    fail = build.verdict("power.balance", "r1-A1-pdu", Outcome.FAIL)
    _, [rack, _] = decide(CHAIN, extra=[fail], around=PLANT, waivers=[waiver])
    assert rack.open is is_open


def test_the_plant_of_a_site_by_what_it_refuses() -> None:
    assert gate.plant_units(build.site_design(), ["train-001"]) == {
        "train-r01": [f"train-r01-{feed}1-pdu" for feed in "ABC"]
    }
    assert gate.plant_units(build.cooled_design(), ["train-001"]) == {
        "train-r01": [f"train-r01-shelf{number}" for number in range(1, 9)],
        "gb200-pod": [f"hall-1-xdu1350-0{number}" for number in (1, 2, 3)],
    }
