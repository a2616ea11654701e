from __future__ import annotations

from fnmatch import fnmatchcase
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright import gate, judge
from rackwright.flow import part_history
from rackwright.gate.rejoin import RepairState, repair_events, repair_holds
from rackwright.model.gate import Decision
from rackwright.model.repair import Action, Part, PartEvent, RepairRule, Retest
from rackwright.model.times import parse_time
from rackwright.model.verdict import Outcome
from tests import build

GATE = build.gate(["gpu.*"])
RULES = (
    RepairRule(action="any", most=1, hours=168, source="s"),
    RepairRule(action="reboot", most=2, hours=24, source="s"),
)
RETESTS = tuple(
    Retest(action=action, part="device", checks=["gpu.*"], source="s")
    for action in ("reset", "reboot", "reseat", "replace", "flash")
)
GPU = Part(serial="S3", kind="device", place="GPU 3", node="train-001")
BOX = Part(serial="B1", kind="bmc", place="", node="train-001")


def event(what: str, day: int, **change) -> PartEvent:
    fields = {
        "serial": "S3",
        "kind": "device",
        "place": "GPU 3",
        "node": "train-001",
        "at": f"2026-11-{day:02d}T10:00:00+00:00",
    }
    if what == "repaired":
        fields["action"] = "reset"
    else:
        fields["check"] = "gpu.ecc"
    return PartEvent(**(fields | {"what": what} | change))


def holds(*history, outcome=Outcome.PASS, day=20, parts=(BOX, GPU), node="train-001", rules=RULES, one_gate=GATE):
    verdicts = [] if outcome is None else [build.verdict("gpu.ecc", node, outcome)]
    moved = [part.model_copy(update={"node": node}) for part in parts]
    repaired = RepairState({node: moved}, history, rules, RETESTS)
    return repair_holds(repaired, verdicts, {node: parse_time(f"2026-11-{day:02d}T12:00:00+00:00")}, one_gate)


def test_nothing_happened_nothing_is_asked() -> None:
    assert holds() == []


def test_what_failed_and_was_repaired_must_pass_again_on_newer_evidence() -> None:
    history = [event("failed", 10), event("repaired", 15)]
    assert holds(*history, day=16) == []
    [old] = holds(*history, day=14)
    assert (old.rule, old.node) == ("repair.rejoin", "train-001")
    assert old.says == ("GPU 3 (serial S3): gpu.ecc passes on evidence that is not newer than the reset: collect again")


@pytest.mark.parametrize("outcome", [Outcome.DEGRADED, None])
def test_degraded_or_unjudged_is_not_passed_again(outcome) -> None:
    [hold] = holds(event("failed", 10), event("repaired", 15), outcome=outcome)
    assert "gpu.ecc must pass again" in hold.says


@pytest.mark.parametrize("outcome", [Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.NOT_RUN])
def test_a_verdict_that_refuses_by_itself_needs_no_hold(outcome) -> None:
    assert holds(event("failed", 10), event("repaired", 15), outcome=outcome) == []


def test_a_test_that_may_be_left_out_may_not_be_left_out_after_it_failed() -> None:
    loose = GATE.model_copy(update={"when_run": ["gpu.ecc"]})
    [hold] = holds(event("failed", 10), event("repaired", 15), outcome=Outcome.NOT_RUN, one_gate=loose)
    assert "it is not_run" in hold.says


def test_a_failure_may_be_judged_again_from_its_own_evidence() -> None:
    assert holds(event("failed", 20, at="2026-11-20T12:00:00+00:00")) == []  # a limit was corrected
    assert holds(event("failed", 20), event("passed", 20)) == []


def test_an_advisory_check_has_no_authority() -> None:
    assert holds(event("failed", 10), event("repaired", 15), day=1, one_gate=build.gate(["bmc.*"])) == []


def test_the_history_follows_the_serial_to_another_node() -> None:
    history = [event("failed", 10), event("repaired", 12, action="reseat"), event("repaired", 13)]
    assert holds(*history, node="train-007", parts=[BOX]) == []
    [lemon] = holds(*history, node="train-007")
    assert (lemon.node, lemon.rule) == ("train-007", "repair.replace")
    assert lemon.says == "GPU 3 (serial S3): 2 repairs within 168 hours, 1 allowed: replace it"


def test_time_does_not_heal_a_part_that_was_repaired_too_often() -> None:
    history = [event("repaired", 1), event("repaired", 5)]
    assert [hold.rule for hold in holds(*history, day=28)] == ["repair.replace"]
    assert holds(event("repaired", 1), event("repaired", 12), day=28) == []


def test_each_action_has_its_own_bound() -> None:
    rules = (RepairRule(action="reboot", most=1, hours=24, source="s"),)
    twice = [event("repaired", 5, action="reboot"), event("repaired", 6, action="reboot")]
    assert len(holds(*twice, rules=rules)) == 1
    assert holds(*[event.model_copy(update={"action": "reset"}) for event in twice], rules=rules) == []


def test_without_a_policy_a_repaired_part_is_held() -> None:
    [hold] = holds(event("repaired", 5), rules=())
    assert "no policy says" in hold.says
    assert holds(rules=()) == []


def test_a_part_written_down_as_replaced_must_be_gone() -> None:
    history = [event("failed", 10), event("repaired", 15, action="replace")]
    [still] = holds(*history)
    assert "is still there" in still.says
    [elsewhere] = holds(*history, node="train-009")
    assert "was in train-001" in elsewhere.says
    assert holds(*history, parts=[BOX]) == []
    [old] = holds(*history, parts=[BOX], day=14)
    assert "not newer than the replace" in old.says


def test_a_person_may_clear_a_history() -> None:
    history = [event("repaired", 1), event("repaired", 2), event("repaired", 3, action="clear", says="wrong slot")]
    assert holds(*history) == []
    assert holds(event("repaired", 1, action="replace"), event("repaired", 3, action="clear", says="refurbished")) == []


OBSERVED = "GPU 3 (00000000:4e:00.0, serial S3): 2"


def added(*history, outcome=Outcome.FAIL, observed=OBSERVED, blocking=("gpu.ecc",), day=20, hold=()):
    verdict = build.verdict("gpu.ecc", outcome=outcome, observed=observed)
    decision = Decision(node="train-001", accepted=not blocking, blocking=list(blocking), reason="r", holds=list(hold))
    repaired = RepairState({"train-001": [BOX, GPU]}, history, RULES, RETESTS)
    return [
        (event.what, event.serial, event.check)
        for event in repair_events(
            [verdict], [decision], repaired, {"train-001": parse_time(f"2026-11-{day:02d}T10:00:00Z")}
        )
    ]


def test_a_failure_is_written_down_by_the_serial_that_it_names() -> None:
    assert added() == [("failed", "S3", "gpu.ecc")]
    assert added(observed="7 of 8") == [("failed", "B1", "gpu.ecc")]
    assert added(observed="GPU 31: 2") == [("failed", "B1", "gpu.ecc")]


def test_the_same_evidence_is_written_down_once() -> None:
    assert added(event("failed", 20)) == []
    assert added(event("failed", 19)) == [("failed", "S3", "gpu.ecc")]
    assert added(event("failed", 10), event("repaired", 15)) == [("failed", "S3", "gpu.ecc")]


def test_what_refuses_nobody_is_no_failure_of_a_part() -> None:
    assert added(blocking=()) == []
    assert added(outcome=Outcome.INCONCLUSIVE) == []


def test_passing_again_ends_an_open_failure() -> None:
    history = [event("failed", 10), event("repaired", 15)]
    both = [("passed", "S3", "gpu.ecc"), ("passed", "S3", "repair.rejoin")]
    assert added(*history, outcome=Outcome.PASS, blocking=()) == both
    assert (
        added(
            *history, event("passed", 16), event("passed", 16, check="repair.rejoin"), outcome=Outcome.PASS, blocking=()
        )
        == []
    )
    [late] = holds(*history, day=14)
    assert added(*history, outcome=Outcome.PASS, blocking=("repair.rejoin",), hold=[late]) == []


def test_parts_of_a_node_come_from_whatever_bears_a_serial() -> None:
    parts = gate.node_parts(build.node_evidence())
    assert parts[0] == Part(serial="1660224000001", kind="bmc", place="", node="train-001")
    gpus = [part for part in parts if part.kind == "device"]
    assert [part.place for part in gpus] == [f"GPU {index}" for index in range(8)]
    assert "mlx5_0" in {part.place for part in parts}


def retested(*history, outcomes, dates=(), day=20, parts=(BOX, GPU), one_gate=None, retests=RETESTS):
    verdicts = [build.verdict(check, "train-001", outcome) for check, outcome in outcomes.items()]
    dated = {"train-001": {check: parse_time(f"2026-11-{at:02d}T12:00:00+00:00") for check, at in dict(dates).items()}}
    repaired = RepairState({"train-001": list(parts)}, history, RULES, retests, dated)
    loose = one_gate or build.gate(["gpu.*"]).model_copy(update={"when_run": ["burn.*"]})
    return [
        hold.says
        for hold in repair_holds(
            repaired, verdicts, {"train-001": parse_time(f"2026-11-{day:02d}T12:00:00+00:00")}, loose
        )
    ]


SWAP = Retest(action="replace", part="device", checks=["gpu.*", "burn.*"], source="s")


def test_a_part_that_was_swapped_before_anything_failed_is_tested_all_the_same() -> None:
    swap, there = event("repaired", 15, action="replace"), [BOX]
    ask = {"outcomes": {"gpu.ecc": Outcome.PASS, "burn.gemm": Outcome.NOT_RUN}, "parts": there, "retests": [SWAP]}
    assert retested(swap, **ask) == [
        "GPU 3 (serial S3): burn.gemm must be run and pass after it (replace on 2026-11-15T10:00)"
    ]
    ask["outcomes"]["burn.gemm"] = Outcome.PASS
    assert retested(swap, **ask) == []
    [old] = retested(swap, **ask, dates={"burn.gemm": 14})
    assert old == "GPU 3 (serial S3): burn.gemm: evidence is not newer than the replace: collect again"
    [both] = retested(swap, **ask, day=14)
    assert "burn.gemm, gpu.ecc: evidence is not newer" in both


def test_a_repair_that_the_policy_does_not_know_keeps_the_node_out() -> None:
    [message] = retested(event("repaired", 15, action="coolant"), outcomes={"gpu.ecc": Outcome.PASS})
    assert "no policy says what must pass again" in message


def test_a_repair_of_which_nothing_was_judged_keeps_the_node_out() -> None:
    [message] = retested(event("repaired", 15), outcomes={"bmc.fans": Outcome.PASS}, one_gate=build.gate(["bmc.*"]))
    assert "nothing of gpu.* was judged" in message


def test_a_node_that_came_back_is_asked_no_more() -> None:
    history = [event("repaired", 5), event("passed", 6, check="repair.rejoin")]
    assert retested(*history, outcomes={"gpu.ecc": Outcome.PASS}, day=5) == []
    assert len(retested(*history, event("repaired", 18), outcomes={"gpu.ecc": Outcome.PASS}, day=5)) == 1


ACTIONS = [name for name in get_args(Action) if name != "clear"]


@given(
    done=st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(1, 27)), min_size=1, max_size=4),
    dates=st.dictionaries(st.sampled_from(["gpu.ecc", "gpu.count", "burn.gemm", "bmc.fans"]), st.integers(1, 28)),
    node_day=st.integers(1, 28),
    outcomes=st.dictionaries(
        st.sampled_from(["gpu.ecc", "gpu.count", "burn.gemm", "bmc.fans"]), st.sampled_from(list(Outcome)), min_size=1
    ),
    failed=st.lists(st.integers(1, 27), max_size=2),
)
def test_no_node_comes_back_on_evidence_older_than_its_repair(done, dates, node_day, outcomes, failed) -> None:
    policy = [Retest(action=action, part="device", checks=["gpu.*", "burn.*"], source="s") for action in ACTIONS]
    history = [event("repaired", day, action=action) for action, day in done]
    history = sorted([*history, *(event("failed", day) for day in failed)], key=lambda event: (event.at, event.what))
    oldest = min(node_day, *dates.values()) if dates else node_day
    says = retested(*history, outcomes=outcomes, dates=dates, day=oldest, retests=policy)
    due = [event for event in history if event.action and event.action != "replace"]
    last = max((int(event.at[8:10]) for event in due), default=0)
    needed = [
        check
        for check in outcomes
        if check.startswith("gpu.") or (check == "burn.gemm" and outcomes[check] is not Outcome.NOT_RUN)
    ]
    for check in needed:
        if dates.get(check, oldest) < last and outcomes[check] in (Outcome.PASS, Outcome.DEGRADED):
            assert says, "evidence older than a repair was good enough"
    if not any(check.startswith(("gpu.", "burn.")) for check in outcomes):
        assert says, "nothing was looked at"


def test_the_policy_knows_every_usual_repair() -> None:
    limits, parts = judge.load_limits(), ("device", "nicport", "module", "dimm", "drive", "bmc", "powersupply")
    repairs = [event("repaired", 1, action=action, kind=part) for action in ACTIONS for part in parts]
    retests = part_history.retests(limits, repairs)
    assert {(retest.action, retest.part) for retest in retests} == {
        (action, part) for action in ACTIONS for part in parts
    }
    checks = list(judge.load_checks())
    for retest in retests:
        for pattern in retest.checks:
            assert any(fnmatchcase(check, pattern) for check in checks), (
                f"{retest.action} {retest.part}: no check is called {pattern}"
            )
    assert {rule.action for rule in part_history.repair_rules(limits)} == {"any", "reseat", "flash"}
