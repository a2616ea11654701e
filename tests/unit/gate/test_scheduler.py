from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from rackwright import gate
from rackwright.base.errors import OutsideError
from rackwright.gate.job import command
from rackwright.gate.job import parse_job_output as parse_job
from rackwright.gate.scheduler import CHANGED, GUARDED, PAUSE, PAUSES, TRIES
from rackwright.gate.slurm_nodes import parse
from tests import build

OURS = "rackwright: not accepted yet"
THEIRS = "fan replaced, do not touch"


@dataclass
class Slurm:
    """Slurm as far as the gate sees it: keeps state and reason of nodes, and every call."""

    nodes: dict[str, tuple[str, str]]
    calls: list[list[str]] = field(default_factory=list)
    deaf: bool = False
    """Takes updates, says yes, and does nothing."""

    def __call__(self, argv: Sequence[str]) -> tuple[int, str, str]:
        if argv[:3] == ["sh", "-c", GUARDED]:
            return self._guarded(*argv[4:])
        self.calls.append(list(argv))
        name = argv[-1]
        if name not in self.nodes:
            return 1, f"Node {name} not found", ""
        state, reason = self.nodes[name]
        return (
            0,
            f"NodeName={name} Arch=x86_64 State={state} ThreadsPerCore=1 Gres=gpu:8{self._reason_field(reason)}\n",
            "",
        )

    def _reason_field(self, reason: str) -> str:
        return f" Reason={reason} [root@2026-11-21T10:00:00]" if reason else ""

    def _guarded(self, name: str, reason: str, *change: str) -> tuple[int, str, str]:
        if self._reason_field(self.nodes[name][1]).partition("Reason=")[2] != reason:
            return CHANGED, "", "its reason is now another one"
        words = ["scontrol", "update", f"NodeName={name}", *change]
        self.calls.append(words)
        return self._update(dict(word.split("=", 1) for word in words[2:]))

    def _update(self, change: dict[str, str]) -> tuple[int, str, str]:
        if not self.deaf:
            base = self.nodes[change["NodeName"]][0].split("+")[0]
            drain = change["State"] == "DRAIN"
            self.nodes[change["NodeName"]] = (f"{base}+DRAIN" if drain else base, change.get("Reason", ""))
        return 0, "", ""

    @property
    def changes(self) -> list[list[str]]:
        return [argv for argv in self.calls if argv[1] == "update"]


def act(state: str, reason: str, *, accepted: bool, **rest):
    slurm = Slurm({"train-001": (state, reason)}, deaf=rest.pop("deaf", False))
    [done] = gate.apply_decisions([build.decision(accepted=accepted)], slurm, **rest)
    return done, slurm


def test_an_accepted_node_that_we_drained_is_resumed_and_read_back() -> None:
    done, slurm = act("IDLE+DRAIN", OURS, accepted=True)
    assert (done.verb, done.done) == ("resume", True)
    assert slurm.nodes["train-001"] == ("IDLE", "")
    assert slurm.changes == [["scontrol", "update", "NodeName=train-001", "State=RESUME"]]
    assert slurm.calls[-1][1:3] == ["--oneliner", "show"]


@pytest.mark.parametrize("accepted", [True, False])
@pytest.mark.parametrize("reason", [THEIRS, "", "not rackwright: mine", "Rackwright: by hand"])
def test_what_an_operator_drained_is_left_alone(accepted: bool, reason: str) -> None:
    done, slurm = act("IDLE+DRAIN", reason, accepted=accepted)
    assert (done.verb, done.done) == ("leave", False)
    assert slurm.changes == []
    assert "left to whoever drained it" in done.says


@pytest.mark.parametrize(("state", "reason"), [("IDLE+DRAIN", OURS), ("IDLE", ""), ("MIXED", ""), ("DOWN*", "")])
def test_a_refused_node_is_drained_with_the_check_as_reason(state: str, reason: str) -> None:
    done, slurm = act(state, reason, accepted=False)
    assert (done.verb, done.done) == ("drain", True)
    assert slurm.nodes["train-001"][1] == "rackwright: gpu.count: 7 of 8"


def test_a_node_that_is_drained_for_the_same_reason_is_not_touched() -> None:
    done, slurm = act("IDLE+DRAIN", "rackwright: gpu.count: 7 of 8", accepted=False)
    assert (done.verb, done.done, slurm.changes) == ("nothing", True, [])


def test_an_accepted_node_in_service_is_not_touched() -> None:
    done, slurm = act("ALLOCATED", "", accepted=True)
    assert (done.verb, done.done, slurm.changes) == ("nothing", True, [])
    assert done.says == "train-001: in service already (allocated)"


def test_an_accepted_node_that_is_down_is_reported() -> None:
    done, slurm = act("DOWN*", "", accepted=True)
    assert (done.verb, done.done, slurm.changes) == ("leave", False, [])
    assert "down+not_responding" in done.says


@pytest.mark.parametrize(
    "state", ["IDLE*+DRAIN", "IDLE+DRAIN+NOT_RESPONDING", "IDLE+NOT_RESPONDING", "DOWN+NOT_RESPONDING"]
)
def test_an_accepted_node_that_slurmctld_does_not_reach_stays_out(state: str) -> None:
    done, slurm = act(state, OURS if "DRAIN" in state else "", accepted=True)
    assert (done.verb, done.done, slurm.changes) == ("leave", False, [])
    assert "slurmctld does not reach it" in done.says


def test_a_node_that_was_just_resumed_is_not_pinged_yet_and_counts() -> None:
    """Slurm marks a node that it resumes as not responding, until its next ping."""

    class Resuming(Slurm):
        def _update(self, change: dict[str, str]) -> tuple[int, str, str]:
            self.nodes[change["NodeName"]] = ("IDLE+NOT_RESPONDING", "")
            return 0, "", ""

    [done] = gate.apply_decisions([build.decision()], Resuming({"train-001": ("IDLE+DRAIN", OURS)}))
    assert (done.verb, done.done) == ("resume", True)


def test_a_node_that_answers_a_little_later_is_resumed_and_a_silent_fleet_is_not_waited_for_one_by_one() -> None:
    class Pinging(Slurm):
        pauses = 0

        def __call__(self, argv: Sequence[str]) -> tuple[int, str, str]:
            if tuple(argv) != PAUSE:
                return super().__call__(argv)
            self.pauses += 1
            self.nodes["train-001"] = ("IDLE+DRAIN", OURS)
            return 0, "", ""

    names = [f"train-{number:03d}" for number in range(1, 31)]
    slurm = Pinging(dict.fromkeys(names, ("IDLE+DRAIN+NOT_RESPONDING", OURS)))
    first, *others = gate.apply_decisions([build.decision(name) for name in names], slurm)
    assert (first.verb, first.done) == ("resume", True)
    assert {act.verb for act in others} == {"leave"}
    assert slurm.pauses == len(PAUSES)


@pytest.mark.parametrize("accepted", [True, False])
def test_what_an_operator_set_down_is_left_alone(accepted: bool) -> None:
    done, slurm = act("DOWN", THEIRS, accepted=accepted)
    assert (done.verb, done.done, slurm.changes) == ("leave", False, [])


@pytest.mark.parametrize(("accepted", "state"), [(True, "IDLE+DRAIN"), (False, "IDLE")])
def test_what_did_not_hold_is_said(accepted: bool, state: str) -> None:
    done, _ = act(state, OURS if accepted else "", accepted=accepted, deaf=True)
    assert not done.done
    assert "did not hold" in done.says


@pytest.mark.parametrize("accepted", [True, False])
def test_a_dry_run_changes_nothing(accepted: bool) -> None:
    done, slurm = act("IDLE+DRAIN", OURS, accepted=accepted, dry_run=True)
    assert slurm.changes == []
    assert (done.verb, done.done) == ("resume" if accepted else "drain", False)


def test_a_node_that_slurm_does_not_know_is_reported() -> None:
    [done] = gate.apply_decisions([build.decision("train-009")], Slurm({}))
    assert (done.verb, done.done) == ("leave", False)
    assert "does not know" in done.says


def test_a_slurm_that_does_not_answer_is_an_outside_error() -> None:
    refused = "slurm_load_node error: Unable to contact slurm controller (connect failure)"
    with pytest.raises(OutsideError, match="Unable to contact slurm controller"):
        gate.apply_decisions([build.decision()], lambda _argv: (1, "", refused))


@pytest.mark.parametrize(
    ("before", "accepted"), [(("IDLE+DRAIN", OURS), True), (("IDLE+DRAIN", OURS), False), (("IDLE", ""), False)]
)
def test_an_operator_who_drains_between_our_look_and_our_word_is_respected(before, accepted: bool) -> None:
    slurm = Slurm({"train-001": before})

    def run(argv: Sequence[str]) -> tuple[int, str, str]:
        if argv[0] == "sh":
            slurm.nodes["train-001"] = ("IDLE+DRAIN", THEIRS)
        return slurm(argv)

    [done] = gate.apply_decisions([build.decision(accepted=accepted)], run)
    assert (done.verb, done.done) == ("leave", False), done.says
    assert slurm.nodes["train-001"] == ("IDLE+DRAIN", THEIRS)
    assert slurm.changes == []


def test_a_node_that_never_rests_is_left_as_it_is_and_said() -> None:
    slurm, looks = Slurm({"train-001": ("IDLE+DRAIN", OURS)}), []

    def run(argv: Sequence[str]) -> tuple[int, str, str]:
        if argv[0] == "sh":
            looks.append(argv)
            slurm.nodes["train-001"] = ("IDLE+DRAIN", f"{OURS} {len(looks)}")
        return slurm(argv)

    [done] = gate.apply_decisions([build.decision()], run)
    assert (done.done, len(looks), slurm.changes) == (False, TRIES, [])
    assert "did not hold (its reason is now" in done.says


def test_an_operator_who_drains_between_two_nodes_is_respected() -> None:
    slurm = Slurm({"train-001": ("IDLE+DRAIN", OURS), "train-002": ("IDLE+DRAIN", OURS)})

    def run(argv: Sequence[str]) -> tuple[int, str, str]:
        answer = slurm(argv)
        if argv[0] == "sh":
            slurm.nodes["train-002"] = ("IDLE+DRAIN", THEIRS)
        return answer

    first, second = gate.apply_decisions([build.decision("train-001"), build.decision("train-002")], run)
    assert (first.verb, second.verb) == ("resume", "leave")


@pytest.mark.parametrize(
    ("state", "base", "drained"),
    [
        ("IDLE", "idle", False),
        ("IDLE+DRAIN", "idle", True),
        ("DOWN*+DRAIN", "down", True),
        ("IDLE+DRAIN+NOT_RESPONDING", "idle", True),
        ("MIXED", "mixed", False),
        ("IDLE+CLOUD+POWERED_DOWN", "idle", False),
    ],
)
def test_states_are_read_as_slurm_prints_them(state: str, base: str, drained: bool) -> None:
    node = parse(f"NodeName=a Arch=x State={state} Reason=a b [x] c [op@2026-11-21T10:00:00] Comment=(null)")["a"]
    assert (node.state, node.drained, node.reason, node.reason_by) == (base, drained, "a b [x] c", "op")


def test_a_reason_without_a_user_is_read() -> None:
    assert parse("NodeName=a State=DOWN Reason=Not responding")["a"].reason == "Not responding"


def test_the_job_asks_each_node_for_everything() -> None:
    argv = command(["a", "b"], 8, "train", 2, 120)
    assert argv[0] == "srun"
    assert {"--nodes=2", "--nodelist=a,b", "--gres=gpu:8", "--time=2", "--immediate=120", "--partition=train"} <= set(
        argv
    )


def test_the_answers_of_a_job_are_read() -> None:
    assert parse_job("0: a\n0: \n1: b\n1: NoDevFiles\n2: c\n2: 0,0\n") == {"a": 0, "b": 0, "c": 1}
    assert parse_job("0: a\n0: 0,1,2\n1: b\nsrun: warning\n1: 0,1\n10: c\n") == {"a": 3, "b": 2, "c": 0}


def prove(output: str, status: int = 0, error: str = ""):
    return gate.prove_job({"a": 2, "b": 2}, "train", lambda _argv: (status, output, error))


def test_every_node_that_answers_with_all_accelerators_counts() -> None:
    proof = prove("0: a\n0: 0,1\n1: b\n1: 0,1\n")
    assert (proof.answered, proof.silent) == (("a", "b"), ())
    assert proof.says == "2 of 2 accepted nodes ran a job with all their accelerators"


@pytest.mark.parametrize("output", ["0: a\n0: 0,1\n", "0: a\n0: 0,1\n1: b\n1: 0\n", "0: a\n0: 0,1\n1: c\n1: 0,1\n"])
def test_a_node_that_does_not_answer_in_full_is_silent(output: str) -> None:
    assert prove(output).silent == ("b",)


def test_what_srun_said_is_kept() -> None:
    proof = prove("", 1, "srun: error: Unable to allocate resources: Requested nodes are busy\n")
    assert proof.answered == ()
    assert "silent: a, b (srun: error: Unable to allocate" in proof.says


def test_nodes_with_different_counts_get_jobs_of_their_own() -> None:
    calls: list[list[str]] = []

    def run(argv: Sequence[str]) -> tuple[int, str, str]:
        calls.append(list(argv))
        return 0, "0: a\n0: 0\n" if "--gres=gpu:1" in argv else "0: b\n", ""

    assert gate.prove_job({"a": 1, "b": 0}, "train", run).answered == ("a", "b")
    assert len(calls) == 2


def test_no_accepted_node_means_no_job() -> None:
    proof = gate.prove_job({}, "train", lambda _argv: pytest.fail("ran a job"))
    assert proof.answered == ()
