import os
import subprocess

import pytest

from rackwright.base.errors import OutsideError
from rackwright.onboard.drain import DRAIN, FormerSlurm, Guards, HookGuard, InTurn, Nobody, SlurmGuard

STATES = """\
train-001|idle|none
train-002|drained|operator: bad fan
train-003|mixed|none
train-003|mixed|none
train-004|down*|Not responding
train-005|down|admin: sent to repair
"""


class Slurm:
    """A controller: answers of `squeue`, one per call, and the commands it received."""

    def __init__(self, *queues, states=STATES, status=0, error=""):
        self.queues, self.states, self.status, self.error = list(queues) or [""], states, status, error
        self.told, self.slept = [], 0.0

    def run(self, argv):
        if self.status:
            return self.status, "", self.error
        if argv[0] == "squeue":
            return 0, self.queues.pop(0) if len(self.queues) > 1 else self.queues[0], ""
        if argv[0] == "sinfo":
            return 0, self.states, ""
        assert argv[:4] == ["sh", "-c", DRAIN, "sh"]
        self.told.append([f"Reason={argv[4]}", *argv[5:]])
        return 0, "", ""

    def sleep(self, seconds):
        self.slept += seconds


@pytest.fixture
def guard():
    def make(slurm):
        notes = []
        result = SlurmGuard(slurm.run, notes.append, clock=lambda: slurm.slept, sleep=slurm.sleep)
        return result, notes

    return make


def test_jobs_are_found_on_every_node_they_have(guard):
    result, _ = guard(Slurm("17|alice|train-[001,003]\n18|bob|train-003\n19|eve|\n"))
    assert result.running(["train-001", "train-002", "train-003"]) == {
        "train-001": ("job 17 of alice",), "train-003": ("job 17 of alice", "job 18 of bob"),
    }  # fmt: skip


def test_an_idle_node_is_drained_with_a_reason_the_gate_knows_as_ours(guard):
    slurm = Slurm()
    result, _ = guard(slurm)
    assert result.drain(["train-001"], "reboot for onboarding", 0) == {"train-001": ""}
    assert slurm.told == [["Reason=rackwright: reboot for onboarding, acceptance pending", "train-001"]]


def test_what_an_operator_took_out_keeps_its_reason(guard):
    slurm = Slurm()
    result, _ = guard(slurm)
    assert result.drain(["train-002", "train-005"], "reboot", 0) == {"train-002": "", "train-005": ""}
    assert slurm.told == []


def test_a_node_that_only_fell_silent_is_drained_too(guard):
    slurm = Slurm()
    guard(slurm)[0].drain(["train-004"], "reboot", 0)
    assert slurm.told[0][1:] == ["train-004"]


def test_a_node_whose_job_goes_on_is_drained_and_not_disturbed(guard):
    slurm = Slurm("17|alice|train-003\n")
    result, _ = guard(slurm)
    assert result.drain(["train-003"], "reboot", 12) == {"train-003": "job 17 of alice still running"}
    assert (slurm.slept, len(slurm.told)) == (12, 1)


def test_the_end_of_a_job_is_waited_for(guard):
    slurm = Slurm("17|alice|train-003\n", "17|alice|train-003\n", "")
    assert guard(slurm)[0].drain(["train-003"], "reboot", 60) == {"train-003": ""}
    assert slurm.slept == 10


def test_the_queue_is_asked_after_the_drain(guard):
    """A job that begins between the question and the drain must be seen."""
    slurm = Slurm("20|alice|train-001\n")
    assert "job 20" in guard(slurm)[0].drain(["train-001"], "reboot", 0)["train-001"]


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (127, "sh: 1: squeue: not found"),
        (1, "squeue: error: resolve_ctls_from_dns_srv\nsqueue: fatal: Could not establish a configuration source"),
    ],
)
def test_before_there_is_a_scheduler_nothing_runs(guard, status, error):
    result, notes = guard(Slurm(status=status, error=error))
    assert (result.running(["train-001"]), result.drain(["train-001"], "reboot", 0)) == ({}, {"train-001": ""})
    assert notes == []


def test_a_scheduler_that_does_not_answer_allows_no_reboot(guard):
    result, notes = guard(Slurm(status=1, error="squeue: error: Unable to contact slurm controller (connect failure)"))
    assert result.running(["train-001"]) == {}
    assert "Unable to contact" in notes[0]
    assert "Unable to contact" in result.drain(["train-001"], "reboot", 0)["train-001"]


def test_a_scheduler_that_did_not_answer_is_not_asked_a_second_time_for_the_same_hosts():
    requested, answers = [], [(1, "", "connect failure"), (0, "", ""), (0, "", ""), (0, "", "")]

    def run(argv):
        requested.append(argv[0])
        return answers.pop(0)

    guard = SlurmGuard(run, lambda text: None)
    assert guard.running(["train-001"]) == {}
    assert guard.free(["train-001"]) == frozenset()
    assert requested == ["squeue"], "its programs try for a minute before they give up"
    assert guard.running(["train-001"]) == {}
    assert guard.free(["train-001"]) == {"train-001"}


def test_only_what_certainly_serves_nobody_is_free(guard):
    slurm = Slurm("17|alice|train-002\n")
    nodes = ["train-001", "train-002", "train-005", "new-001"]
    assert guard(slurm)[0].free(nodes) == {"train-005", "new-001"}  # in service; out with a job; out; not known yet
    assert guard(Slurm(status=127))[0].free(nodes) == set(nodes)
    assert guard(Slurm(status=1, error="connect failure"))[0].free(nodes) == set()


def test_a_controller_out_of_reach_allows_no_reboot():
    def run(argv):
        raise OutsideError("10.0.0.9 does not answer")

    result = SlurmGuard(run, lambda text: None)
    assert result.drain(["a"], "reboot", 0) == {"a": "10.0.0.9 does not answer"}


def test_a_hook_decides_node_by_node():
    requested = []

    def run(argv):
        requested.append(list(argv))
        return (0, "", "") if argv[-1] == "a" else (1, "", "error: cannot evict pod x\n")

    result = HookGuard(["kubectl", "drain", "--timeout=60s"], run).drain(["a", "b"], "reboot", 0)
    assert result == {"a": "", "b": "the drain hook refused it (error: cannot evict pod x)"}
    assert requested[0] == ["kubectl", "drain", "--timeout=60s", "a"]


def test_without_a_hook_a_node_of_another_scheduler_is_not_rebooted():
    assert "--drain-hook" in HookGuard([], lambda argv: (0, "", "")).drain(["a"], "reboot", 0)["a"]


def test_each_node_has_its_own_guard(guard):
    slurm = Slurm("17|alice|train-003\n")
    hook, nobody = HookGuard([], slurm.run), Nobody()
    both = Guards({"train-003": guard(slurm)[0], "serve-001": hook, "slurm-01": nobody})
    assert both.running(["train-003", "serve-001", "slurm-01"]) == {"train-003": ("job 17 of alice",)}
    assert both.free(["train-003", "serve-001", "slurm-01"]) == {"slurm-01"}
    result = both.drain(["train-003", "serve-001", "slurm-01"], "reboot", 0)
    assert [bool(result[name]) for name in ("train-003", "serve-001", "slurm-01")] == [True, True, False]


@pytest.fixture
def leaving():
    """The guard of nodes that Slurm may still have, with the hook of the scheduler that they have now."""

    def make(slurm, hook=()):
        former = FormerSlurm(slurm.run, lambda text: None, clock=lambda: slurm.slept, sleep=slurm.sleep)
        return InTurn(former, HookGuard(hook, lambda argv: (0, "", "")))

    return make


def test_a_node_that_leaves_slurm_counts_as_busy_until_it_is_drained(leaving):
    slurm = Slurm("17|alice|train-003\n")
    nodes = ["train-001", "train-002", "train-003", "new-001"]
    running = leaving(slurm).running(nodes)
    assert running == {
        "train-001": ("Slurm, which it leaves, still gives it jobs",),
        "train-003": ("job 17 of alice",),
    }
    assert slurm.told == []


def test_it_is_drained_in_slurm_and_needs_no_hook(leaving):
    slurm = Slurm()
    slurm.run = _draining(slurm)
    assert leaving(slurm).drain(["train-001"], "onboarding", 60) == {"train-001": ""}
    assert slurm.told == [["Reason=rackwright: onboarding, acceptance pending", "train-001"]]


def test_a_job_that_goes_on_keeps_it_in_slurm(leaving):
    slurm = Slurm("17|alice|train-003\n")
    assert (
        leaving(slurm, ["drain"]).drain(["train-003"], "onboarding", 5)["train-003"] == "job 17 of alice still running"
    )


def test_a_node_that_slurm_never_had_is_for_the_hook(leaving):
    assert "--drain-hook" in leaving(Slurm()).drain(["new-001"], "reboot", 0)["new-001"]
    assert leaving(Slurm(), ["drain"]).drain(["new-001"], "reboot", 0) == {"new-001": ""}
    assert leaving(Slurm()).free(["new-001", "train-005", "train-001"]) == {"train-005"}


def test_of_a_slurm_that_does_not_answer_nothing_is_certain(leaving):
    silent = leaving(Slurm(status=1, error="connect failure"))
    assert (silent.running(["train-001"]), silent.free(["train-001"])) == ({}, set())
    assert "does not answer" in silent.drain(["train-001"], "reboot", 0)["train-001"]


def _draining(slurm):
    answer = slurm.run

    def run(argv):
        result = answer(argv)
        if argv[0] == "sh":
            slurm.states = slurm.states.replace("train-001|idle|none", "train-001|drained|rackwright: x")
        return result

    return run


SCONTROL = """#!/bin/sh
if [ "$1" = --oneliner ]; then
  case $4 in
    a) echo "NodeName=a State=IDLE ThreadsPerCore=1 Comment=DRAIN" ;;
    b) echo "NodeName=b State=IDLE+DRAIN ThreadsPerCore=1 Reason=fan [kim@2026-11-22T10:00:00]" ;;
    c) echo "NodeName=c State=DOWN* ThreadsPerCore=1 Reason=Not responding [slurm@2026-11-22T10:00:00]" ;;
    d) echo "NodeName=d State=DOWN ThreadsPerCore=1 Reason=sent to repair [kim@2026-11-22T10:00:00]" ;;
    e) echo "slurm_load_node error: Node e not found"; exit 1 ;;
  esac
else
  echo "$*" >> "$TOLD"
fi
"""


def test_what_somebody_took_out_meanwhile_keeps_its_reason(tmp_path):
    program, reported = tmp_path / "scontrol", tmp_path / "told"
    program.write_text(SCONTROL)
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TOLD": str(reported)}

    def drain(*nodes):
        return subprocess.run(
            ["sh", "-c", DRAIN, "sh", "rackwright: x y", *nodes], env=environment, check=False
        ).returncode

    assert drain("a", "b", "c", "d") == 0
    assert reported.read_text().splitlines() == [
        "update NodeName=a State=DRAIN Reason=rackwright: x y",
        "update NodeName=c State=DRAIN Reason=rackwright: x y",
    ]
    assert drain("e") == 1
