"""Every sentence and every command of the gate, letter by letter: operators and schedulers read them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rackwright import gate
from rackwright.base.errors import OutsideError, ProblemsError
from rackwright.gate import (
    evidence_age,
    groups,
    isolation_gate,
    job,
    kubernetes,
    kubernetes_node,
    reason,
    scheduler,
    slurm_nodes,
)
from rackwright.gate.parts import node_parts
from rackwright.gate.waiver_file import append_waiver
from rackwright.model.base import Record
from rackwright.model.check import NodeEvidence
from rackwright.model.gate import Hold
from rackwright.model.isolation import Blamed, Isolated
from rackwright.model.times import parse_time
from rackwright.model.verdict import Outcome
from tests import build

NODE = json.loads(Path(__file__).with_name("node.json").read_text())
NOW = "2026-11-22T10:00:00+00:00"


def slurm_line(state: str = "IDLE", reason: str = "") -> str:
    return f"NodeName=train-001 Arch=x86_64 State={state} ThreadsPerCore=1{f' Reason={reason}' if reason else ''}\n"


class Program:
    """Answers commands in turn, the last answer for ever, and records them."""

    def __init__(self, *answers: tuple[int, str, str]) -> None:
        self.answers, self.calls = list(answers), []

    def __call__(self, argv):
        self.calls.append(list(argv))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


# Reasons of nodes


def refused(*verdicts, missing=(), holds=()) -> str:
    return reason.refused_reason(build.gate(), verdicts, missing, holds)


def test_reasons_of_accepted_nodes():
    assert reason.accepted_reason(build.gate(), 4, []) == "rackwright: gate handover open, 4 verdicts"
    assert reason.accepted_reason(build.gate(), 4, ["a", "b"]).endswith("handover open, 4 verdicts, waived: a, b")


def test_reasons_of_refused_nodes():
    fail = build.verdict(outcome=Outcome.FAIL, observed="7", expected="8")
    assert refused(fail) == "rackwright: gpu.count: 7; expected 8"
    second = build.verdict("gpu.ecc", outcome=Outcome.FAIL, observed="on", expected="off")
    assert refused(second, fail) == "rackwright: gpu.count: 7; expected 8 (and 1 more)"
    assert refused(missing=["gpu.*"]) == "rackwright: gpu.*: no verdict, gate handover asks for one"
    assert refused(holds=[Hold(node="n", rule="r", says="stays")]) == "rackwright: r: stays"
    assert refused() == "rackwright: gate handover asks for nothing, so it shows nothing"
    hold = Hold(node="n", rule="r", says="stays")
    assert refused(fail, second, missing=["pcie.*"], holds=[hold]).endswith("(and 3 more)")


def test_a_verdict_without_a_reading_shows_its_sentence():
    silent = build.verdict(outcome=Outcome.INCONCLUSIVE, observed="no reading", says="train-001: the tool is missing")
    assert refused(silent) == "rackwright: gpu.count: the tool is missing"
    unsure = build.verdict(outcome=Outcome.INCONCLUSIVE, observed="7", says="train-001: no limit")
    assert refused(unsure) == "rackwright: gpu.count: inconclusive, no limit"
    worn = build.verdict(outcome=Outcome.DEGRADED, observed="7", expected="8")
    assert refused(unsure, worn).startswith("rackwright: gpu.count: inconclusive")


def test_a_reason_is_ascii_on_one_line_and_ends_after_a_word():
    assert reason.reason_line('a "b" é\nc') == "rackwright: a 'b' ? c"
    assert reason.reason_line("x" * 500) == f"rackwright: {'x' * 500}"[: reason.LONGEST]
    for letters in (1, 2, 3, 5, 8):
        long = refused(build.verdict(outcome=Outcome.FAIL, observed=("w" * letters + ", ") * 300, expected="8"))
        assert len(long) <= reason.LONGEST
        assert long.endswith(f", {'w' * letters}...")
    exact = reason.LONGEST - len("rackwright: gpu.count: ; expected 8")
    fits = refused(build.verdict(outcome=Outcome.FAIL, observed="w" * exact, expected="8"))
    assert (len(fits), fits[-1]) == (reason.LONGEST, "8")


# Groups


def test_reasons_of_groups():
    rack = build.gate().model_copy(update={"scope": "rack", "share": 0.9})
    fabric = rack.model_copy(update={"scope": "fabric", "coverage": 0.5})

    def decide(one_gate, passed, verdicts=(), cables=(0, 0), nodes=("a", "b", "c", "d")):
        members = {one_gate.scope: {"g": nodes}}
        [decision] = groups.decide_groups([one_gate], {"handover": passed}, members, verdicts, {"g": cables})
        return decision.open, decision.reason

    assert decide(rack, "abcd") == (True, "100 % of 4 covered nodes passed")
    assert decide(rack, "abc") == (False, "75 % of 4 covered nodes passed, 90 % required")
    assert decide(rack.model_copy(update={"share": 0.75}), "abc")[0]
    assert decide(rack, "", nodes=()) == (False, "no node is covered, 90 % required")
    assert decide(fabric, "abcd", cables=(1, 2)) == (
        True,
        "100 % of 4 covered nodes passed, 50 % of 2 planned cables were observed",
    )
    assert decide(fabric, "abcd", cables=(1, 4)) == (
        False,
        "25 % of 4 planned cables were observed, 50 % required",
    )
    assert decide(fabric, "abc", cables=(1, 4))[1] == (
        "75 % of 4 covered nodes passed, 90 % required; 25 % of 4 planned cables were observed, 50 % required"
    )
    bad = [build.verdict(f"gpu.{name}", "g", Outcome.FAIL, says="g: no answer") for name in "xyz"]
    assert decide(rack, "abcd", bad[:1]) == (False, "gpu.x: g: no answer")
    assert decide(rack, "abcd", bad) == (False, "gpu.x and 2 more checks: g: no answer")
    degraded = [build.verdict("gpu.x", "g", Outcome.DEGRADED)]
    assert not decide(rack, "abcd", degraded)[0]
    assert decide(rack.model_copy(update={"allow_degraded": True}), "abcd", degraded)[0]


def test_holds_of_closed_groups():
    strict = build.gate().model_copy(update={"scope": "rack", "share": 1.0, "holds": True})
    members = {"rack": {"r1": ["a", "b"], "r2": ["c"]}}
    decided = groups.decide_groups([strict], {"handover": {"a", "c"}}, members, [], {})
    accepted = [build.decision("a"), build.decision("b", accepted=False), build.decision("c")]
    assert groups.closed_holds([strict], decided, members, accepted) == [
        Hold(
            node="a",
            rule="gate.handover",
            says="rack r1 stays closed: 50 % of 2 covered nodes passed, 100 % required",
        )
    ]


# Isolation


def isolated(parts=(), faulty=(), **change) -> Isolated:
    fields = {"run": "r", "taken": "2026-11-21T08:00:59+00:00", "fabric": "compute", "found": list(parts)}
    fields |= {"faulty": list(faulty), "cleared": [], "unsettled": [], "uncovered": [], "complete": True}
    return Isolated(**(fields | change))


def blamed(kind: str, *names: str, node: str = "") -> Blamed:
    return Blamed(kind=kind, names=list(names), node=node, probability=0.994)


def test_sentences_of_isolation():
    def of(*parts: Blamed, node: str = "a") -> str:
        [hold] = gate.isolation_holds([isolated(parts, [node])], [node])
        return hold.says

    start, end = "isolation of 2026-11-21T08:00 on compute blames ", ": isolate again after the repair"
    assert of() == f"{start}node a{end}"
    assert of(blamed("rail", "a/1", node="a")) == f"{start}rail a/1 (99%){end}"
    assert of(blamed("node", "a", node="a"), blamed("pair", "b+a rail 3")) == (
        f"{start}node a (99%) and pair b+a rail 3 (99%){end}"
    )
    assert of(blamed("rail", "a/1", "a/2", "a/3", "a/4", node="a")).endswith(
        f"one of a/1, a/2, a/3, a/4 (99%){end}",
    )
    assert of(blamed("rail", *"12345", node="a")) == f"{start}rail one of 1, 2, 3, 4 and 1 more (99%){end}"
    assert of(blamed("cable", "a+b")) == f"{start}node a{end}"


def test_sentences_of_blamed_fabrics():
    switch = blamed("switch", "s1")
    assert gate.blamed_fabrics([isolated([switch])]) == {
        "compute": ["isolation of 2026-11-21T08:00 blames switch s1 (99%)"],
    }
    later = {"taken": "2026-11-22T08:00:00+00:00", "run": "r2"}
    assert gate.blamed_fabrics([isolated([switch]), isolated(**later)]) == {}
    assert gate.blamed_fabrics([isolated([switch]), isolated(**later, uncovered=["s1"])])["compute"]
    assert gate.blamed_fabrics([isolated([switch]), isolated(**later, complete=False)])["compute"]
    assert gate.blamed_fabrics([isolated([blamed("node", "a", node="a")], ["a"])]) == {}


def test_sentences_of_a_missing_isolation():
    policy = gate.IsolationPolicy(24, ["a"], parse_time("2026-11-22T08:00:59+00:00"))

    def of(*results: Isolated) -> list[str]:
        return [
            hold.says for hold in gate.isolation_holds(results, ["a"], policy) if hold.rule == isolation_gate.MISSING
        ]

    assert of() == ["no isolation settled it, and the site asks for one: rackwright isolate --run"]
    assert of(isolated(cleared=["a"])) == []
    assert len(of(isolated(cleared=["a"], taken="2026-11-21T08:00:58+00:00"))) == 1
    assert len(of(isolated(cleared=["a"], taken="2026-11-22T08:01:00+00:00"))) == 1
    assert of(isolated(cleared=["a"], taken=policy.now.isoformat())) == []


# Evidence


def test_sentences_of_old_evidence():
    aged = build.gate().model_copy(update={"evidence": build.age()})

    def of(collected: str) -> list[tuple[str, str, str]]:
        holds = evidence_age.old_evidence({"a": parse_time(collected)}, aged, parse_time(NOW), ["a", "b"])
        return [(hold.node, hold.rule, hold.says) for hold in holds]

    assert of("2026-11-21T10:00:00+00:00") == []
    rule = evidence_age.RULE
    assert of("2026-11-21T09:00:00") == [
        (
            "a",
            rule,
            "evidence of 2026-11-21, 25 hours old, 24 allowed: collect again, and burn in again where that is the old part",
        )
    ]
    assert of("2026-11-22T10:05:00+00:00") == []
    assert of("2026-11-22T10:06:00+00:00") == [
        (
            "a",
            rule,
            (
                "the evidence was taken at 2026-11-22T10:06, after this decision (2026-11-22T10:00, 5 minutes allowed): "
                "set the clock right, collect again"
            ),
        ),
    ]
    assert parse_time("2026-11-21T09:00:00") == datetime(2026, 11, 21, 9, tzinfo=UTC)
    assert evidence_age.old_evidence({"a": parse_time(NOW)}, build.gate(), parse_time(NOW), ["a"]) == []


# Slurm


def planned(state: str, why: str = "", *, accepted: bool = True) -> tuple[str, str]:
    node = slurm_nodes.parse(slurm_line(state, why))["train-001"]
    return scheduler.plan(build.decision(accepted=accepted), node)


def test_what_to_do_with_a_node_of_slurm():
    good, bad = build.decision().reason, build.decision(accepted=False).reason
    assert scheduler.plan(build.decision(), None) == ("leave", "Slurm does not know this node: add it to slurm.conf")
    assert planned("IDLE+DRAIN", "fan [kim@2026-11-21T10:00:00]") == (
        "leave",
        "idle+drain by kim (fan): left to whoever drained it",
    )
    assert planned("IDLE+DRAIN") == ("leave", "idle+drain (no reason): left to whoever drained it")
    assert planned("IDLE+DRAIN", "rackwright: new") == ("resume", f"accepted: {good}")
    assert planned("IDLE+DRAIN", bad, accepted=False) == ("nothing", f"stays drained: {bad}")
    assert planned("IDLE", bad, accepted=False) == ("drain", bad)
    assert planned("IDLE+DRAIN", "rackwright: new", accepted=False) == ("drain", bad)
    unreached = "accepted, but slurmctld does not reach it ({}): look at slurmd on the node, its port and munge"
    assert planned("DOWN*") == ("leave", unreached.format("down+not_responding"))
    assert planned("IDLE+NOT_RESPONDING") == ("leave", unreached.format("idle+not_responding"))
    assert planned("IDLE*+DRAIN", "rackwright: new") == ("leave", unreached.format("idle+drain+not_responding"))
    assert planned("MIXED") == ("nothing", "in service already (mixed)")
    assert planned("DOWN", "Not responding [slurm@2026-11-21T10:00:00]")[1].startswith("accepted, but Slurm says down")
    assert planned("DOWN", "fan")[1] == "accepted, but Slurm says down: look at slurmd on the node"
    assert planned("DOWN", "fan [kim@2026-11-21T10:00:00]")[1] == "down by kim (fan): left to whoever drained it"


def test_the_commands_of_slurm_and_what_became_of_them():
    decision = build.decision()
    slurm = Program((0, slurm_line("IDLE+DRAIN", "rackwright: new [root@1]"), ""), (0, "", ""), (0, slurm_line(), ""))
    [act] = scheduler.apply_decisions([decision], slurm)
    assert slurm.calls == [
        ["scontrol", "--oneliner", "show", "node", "train-001"],
        ["sh", "-c", scheduler.GUARDED, "sh", "train-001", "rackwright: new [root@1]", "State=RESUME"],
        ["scontrol", "--oneliner", "show", "node", "train-001"],
    ]
    assert act == scheduler.SchedulerAct(
        "train-001", "resume", done=True, says=f"train-001: resumed, accepted: {decision.reason}"
    )
    bad = build.decision(accepted=False)
    slurm = Program((0, slurm_line(), ""), (0, "", ""), (0, slurm_line("IDLE+DRAIN", bad.reason), ""))
    [act] = scheduler.apply_decisions([bad], slurm)
    assert slurm.calls[1][-3:] == ["", "State=DRAIN", f"Reason={bad.reason}"]
    assert act == scheduler.SchedulerAct("train-001", "drain", done=True, says=f"train-001: drained, {bad.reason}")


@pytest.mark.parametrize(
    ("update", "after", "says"),
    [
        ((1, "", "a\nslurm_update error: Invalid user id\n"), slurm_line(), "slurm_update error: Invalid user id"),
        ((0, "", "a note"), slurm_line(), "Slurm took the command"),
    ],
)
def test_a_change_of_slurm_that_did_not_hold(update, after: str, says: str):
    slurm = Program((0, slurm_line(), ""), update, (0, after, ""))
    [act] = scheduler.apply_decisions([build.decision(accepted=False)], slurm)
    assert act.says == f"train-001: drain did not hold ({says}); now idle, reason ''"
    slurm = Program((0, slurm_line(), ""), (0, "", ""), (1, "Node train-001 not found", ""))
    [act] = scheduler.apply_decisions([build.decision(accepted=False)], slurm)
    assert act.says == "train-001: drain did not hold (Slurm took the command); now gone"


@pytest.mark.parametrize(
    ("answer", "says"),
    [((1, "", "x\nno controller\n"), "no controller"), ((1, "out", ""), "out"), ((7, "", ""), "exit status 7")],
)
def test_a_scheduler_that_does_not_answer(answer, says: str):
    with pytest.raises(OutsideError) as slurm:
        scheduler.read("train-001", Program(answer))
    assert str(slurm.value) == f"Slurm does not answer ({says}): check that slurmctld runs on the controller"


# The job that proves nodes


def test_the_command_of_the_proof():
    assert job.command(["a", "b"], 8, "train", 2, 60) == [
        "srun", f"--job-name={job.JOB}", "--partition=train", "--nodes=2", "--ntasks-per-node=1", "--nodelist=a,b", "--gres=gpu:8",
        "--time=2", "--immediate=60", "--label", "printenv", "SLURMD_NODENAME", job.DEVICES,
    ]  # fmt: skip
    assert job.command(["a"], 0, "train", 2, 60)[-3:] == ["--label", "printenv", "SLURMD_NODENAME"]


def test_the_sentence_of_the_proof():
    srun = Program((1, "0: a\n0: 0,1\n", "x\nsrun: error: b is busy\n"))
    proof = job.prove_job({"a": 2, "b": 2}, "train", srun)
    assert (
        proof.says == "1 of 2 accepted nodes ran a job with all their accelerators; silent: b (srun: error: b is busy)"
    )
    assert (proof.answered, proof.silent, len(srun.calls)) == (("a",), ("b",), 2)
    assert "--nodelist=b" in srun.calls[1]
    assert srun.calls[0][7:9] == ["--time=2", "--immediate=60"]
    proof = job.prove_job({"a": 2, "b": 2, "c": 0}, "train", Program((0, "0: c\n", "")))
    assert proof.says == "1 of 3 accepted nodes ran a job with all their accelerators; silent: a, b"


# Kubernetes


def cluster_node(taints=(), **change):
    document = json.loads(json.dumps(NODE))
    document["spec"] |= {"taints": list(taints)} | change
    return kubernetes_node.parse(document)


def test_what_to_do_with_a_node_of_kubernetes():
    good, bad = build.decision(), build.decision(accepted=False)
    ours = {"key": kubernetes_node.TAINT, "value": "pending", "effect": "NoSchedule"}
    theirs = {"key": "fan", "effect": "NoExecute"}
    assert kubernetes.plan(good, None) == ("leave", "the cluster does not know this node: join it first")
    assert kubernetes.plan(good, cluster_node([ours])) == ("resume", f"accepted: {good.reason}")
    assert kubernetes.plan(good, cluster_node([ours, theirs], unschedulable=True)) == (
        "resume",
        f"accepted: {good.reason}; kept out by others (cordoned; taint fan:NoExecute): left to whoever did it",
    )
    assert kubernetes.plan(bad, cluster_node([ours])) == ("drain", bad.reason)
    assert cluster_node([theirs | {"value": "slow"}]).others == ("fan=slow:NoExecute",)


def test_the_changes_of_a_node_of_kubernetes():
    good, bad, node = build.decision(), build.decision(accepted=False), cluster_node()
    condition = {"type": kubernetes_node.CONDITION, "status": "True", "reason": "GateOpen", "message": good.reason}
    condition |= {"lastHeartbeatTime": NOW, "lastTransitionTime": NOW}
    assert kubernetes_node.condition_patch(good, node, parse_time(NOW)) == {"status": {"conditions": [condition]}}
    assert kubernetes_node.taint_patch(bad, node) == {
        "metadata": {"resourceVersion": node.version, "annotations": {kubernetes_node.REASON: bad.reason}},
        "spec": {"taints": [{"key": kubernetes_node.TAINT, "value": "refused", "effect": kubernetes_node.EFFECT}]},
    }
    [closed] = kubernetes_node.condition_patch(bad, node, parse_time(NOW))["status"]["conditions"]
    assert (closed["status"], closed["reason"]) == ("False", "GateClosed")


# Waivers


@pytest.mark.parametrize(
    ("text", "says"), [("- a\n", "the file is no mapping"), ("waivers: word\n", "waivers is no list")]
)
def test_a_waiver_file_of_another_kind(text: str, says: str):
    with pytest.raises(ValueError, match=f"^{says}$"):
        append_waiver(text, build.waiver())


def test_the_text_of_a_new_waiver():
    row = '  - check: gpu.count\n    node: train-001\n    reason: "spare ordered"\n    by: "A. Person"\n    until: 2026-12-31\n'
    assert append_waiver("", build.waiver()) == f"waivers:\n{row}"
    assert append_waiver("# none", build.waiver()) == f"# none\nwaivers:\n{row}"
    assert append_waiver("# none\n", build.waiver()) == f"# none\nwaivers:\n{row}"
    assert append_waiver("waivers:\n", build.waiver()) == f"waivers:\n{row}"
    assert append_waiver("waivers: []  # none\n# end\n", build.waiver()) == f"waivers:  # none\n{row}# end\n"
    flow = '{check: gpu.count, node: train-001, reason: "spare ordered", by: "A. Person", until: 2026-12-31}'
    assert append_waiver("waivers: [{check: a}]\n", build.waiver()) == f"waivers: [{{check: a}}, {flow}]\n"
    assert append_waiver("waivers:\n- check: a", build.waiver("x", "n", reason="é", by="B")) == (
        'waivers:\n- check: a\n- check: x\n  node: n\n  reason: "é"\n  by: "B"\n  until: 2026-12-31\n'
    )


def test_problems_of_waivers(tmp_path: Path):
    good = {"check": "gpu.count", "node": "n", "reason": "r", "by": "p", "until": "2026-12-31"}
    changes = [{"check": "gpu.*"}, {"check": "gpu.x"}, {"node": "m"}, {"object": "GPU *"}, {"reason": " "}, {"by": ""}]
    changes += [{"until": "20261231"}, {"until": "soon"}, {}, {}]
    file = tmp_path / "waivers.yaml"
    file.write_text(json.dumps({"waivers": [good | change for change in changes]}))
    with pytest.raises(ProblemsError) as refused_file:
        gate.load_waivers(file, ["gpu.count"], ["n"], gate.WaiverPolicy(days=90))
    problems = [
        (problem.path, problem.message, problem.expected, problem.found) for problem in refused_file.value.problems
    ]
    assert sorted(problem for problem in problems if problem[1] != "is waived twice") == sorted(
        [
            ("check", "is a pattern", "one name: a waiver is for what somebody looked at", "gpu.*"),
            ("check", "does not exist", "one of the 1 checks", "gpu.x"),
            ("node", "does not exist", "one of the 1 nodes", "m"),
            ("object", "is a pattern", "one part, as findings name it", "GPU *"),
            ("reason", "is empty", "who accepts it, and why", "nothing"),
            ("by", "is empty", "who accepts it, and why", "nothing"),
            ("until", "is no date", "YYYY-MM-DD", "20261231"),
            ("until", "is no date", "YYYY-MM-DD", "soon"),
        ]
    )
    assert ("check", "is waived twice", "one waiver", f"another at {file}:1") in problems
    assert {(problem.next_step, problem.code) for problem in refused_file.value.problems} == {
        ("mend the waiver, or remove it", "gate.waiver"),
    }


# Parts


class Plug(Record):
    serial: str | None = None
    serial_number: str | None = None
    slot: str = ""
    name: str = ""


class Cage(Record):
    plug: Plug | None = None


class Port(Record):
    name: str = "eth0"
    plug: Plug | None = None
    plugs: dict[str, Plug] = {}
    cage: Cage | None = None


def test_parts_are_named_by_the_record_around_them():
    def parts(record: Record) -> list[tuple[str, str, str, str]]:
        evidence = NodeEvidence(node="n", records={type(record): record}, raw={}, errors={}, taken=NOW)
        return [(part.serial, part.kind, part.place, part.node) for part in node_parts(evidence)]

    assert parts(Port(plug=Plug(serial="S1"))) == [("S1", "plug", "eth0 plug", "n")]
    assert parts(Port(name="", plugs={"p1": Plug(serial_number="S2")})) == [("S2", "plug", "p1 plug", "n")]
    assert parts(Port(plug=Plug(serial="S3", slot="slot 4", name="x"))) == [("S3", "plug", "slot 4", "n")]
    assert parts(Port(cage=Cage(plug=Plug(serial="S4")))) == [("S4", "plug", "eth0 plug", "n")]
    for unknown in ("", "Unknown", "N/A", "not specified", "None ", "To Be Filled By O.E.M.", "0"):
        assert parts(Port(plug=Plug(serial=unknown))) == []
