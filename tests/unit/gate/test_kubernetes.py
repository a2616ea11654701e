"""The gate in Kubernetes, against a cluster that answers as kubectl 1.34 does.

``node.json`` has the shape of ``kubectl get node -o json`` (Kubernetes API reference, Node v1, kubectl 1.34).
"""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from rackwright import gate
from rackwright.base.errors import OutsideError
from rackwright.gate.kubernetes import CONDITION, CONFLICT, REASON, TAINT, TRIES, parse, plan
from rackwright.model.times import parse_time
from tests import build

RECORDED = json.loads(Path(__file__).with_name("node.json").read_text())
NOW = "2026-11-21T10:00:00+00:00"
OURS = {"key": TAINT, "value": "pending", "effect": "NoSchedule"}
THEIRS = {"key": "maintenance", "value": "fan", "effect": "NoExecute"}


def node(*, taints=(OURS,), cordoned=False):
    data = copy.deepcopy(RECORDED)
    data["spec"]["taints"] = [dict(taint) for taint in taints]
    if cordoned:
        data["spec"]["unschedulable"] = True
    return data


class Cluster:
    """Does what kubectl does with the few commands that the gate uses."""

    def __init__(self, data) -> None:
        self.nodes = {"train-001": data}
        self.calls: list[list[str]] = []
        self.refuses = ""
        self.meanwhile = lambda _cluster: None
        """Called before every of our changes."""

    def __call__(self, argv):
        verb = argv[1]
        if verb == "auth":
            return 0, "yes\n", ""
        name = argv[3]
        if name not in self.nodes:
            return 1, "", f'Error from server (NotFound): nodes "{name}" not found\n'
        data = self.nodes[name]
        if verb == "get":
            return 0, json.dumps(data), ""
        assert verb == "patch"
        self.meanwhile(self)
        self.calls.append(list(argv))
        if self.refuses and self.refuses in argv:
            return 1, "", "error: nodes is forbidden\n"
        return self.patch(data, argv)

    def patch(self, data, argv) -> tuple[int, str, str]:
        change = json.loads(argv[-1].partition("=")[2])
        if argv[4] == "--subresource=status":
            assert argv[5] == "--type=strategic"
            [condition] = change["status"]["conditions"]
            others = [present for present in data["status"]["conditions"] if present["type"] != condition["type"]]
            data["status"]["conditions"] = [*others, condition]
        else:
            assert argv[4] == "--type=merge"
            if change["metadata"].pop("resourceVersion") != data["metadata"]["resourceVersion"]:
                return 1, "", f"Error from server (Conflict): Operation cannot be fulfilled: {CONFLICT}; please apply\n"
            data["metadata"].setdefault("annotations", {}).update(change["metadata"]["annotations"])
            data["spec"]["taints"] = change["spec"]["taints"]
        self.touch()
        return 0, "", ""

    def touch(self) -> None:
        meta = self.nodes["train-001"]["metadata"]
        meta["resourceVersion"] = str(int(meta["resourceVersion"]) + 1)

    @property
    def tainted(self) -> list[dict]:
        """The taints of every patch, in order."""
        words = [call[-1].partition("=")[2] for call in self.calls if call[4] == "--type=merge"]
        return [json.loads(word)["spec"]["taints"] for word in words]


def accept(cluster, *, accepted=True, **change):
    [act] = gate.apply_taints([build.decision(accepted=accepted)], cluster, parse_time(NOW), **change)
    return act


def condition(cluster):
    conditions = cluster.nodes["train-001"]["status"]["conditions"]
    return next((condition for condition in conditions if condition["type"] == CONDITION), None)


def test_an_accepted_node_loses_our_taint_and_gets_the_condition() -> None:
    cluster = Cluster(node())
    act = accept(cluster)
    assert (act.verb, act.done) == ("resume", True), act.says
    assert cluster.nodes["train-001"]["spec"]["taints"] == []
    assert condition(cluster)["status"] == "True"
    assert cluster.calls[-1][4] == "--type=merge"  # the taint last: nothing runs before
    assert accept(cluster).verb == "nothing"
    assert len(cluster.calls) == 2


def test_a_refused_node_gets_our_taint_and_the_reason_first_of_all() -> None:
    cluster = Cluster(node(taints=[THEIRS]))
    act = accept(cluster, accepted=False)
    assert (act.verb, act.done) == ("drain", True), act.says
    assert cluster.calls[0][4] == "--type=merge"
    assert cluster.tainted == [[THEIRS, {"key": TAINT, "value": "refused", "effect": "NoSchedule"}]]
    assert cluster.nodes["train-001"]["spec"]["taints"][0] == THEIRS
    assert cluster.nodes["train-001"]["metadata"]["annotations"][REASON] == "rackwright: gpu.count: 7 of 8"
    assert condition(cluster) == {
        "type": CONDITION, "status": "False", "reason": "GateClosed", "message": "rackwright: gpu.count: 7 of 8",
        "lastHeartbeatTime": NOW, "lastTransitionTime": NOW,
    }  # fmt: skip
    assert accept(cluster, accepted=False).verb == "nothing"


@pytest.mark.parametrize(
    ("taints", "cordoned", "words"),
    [((OURS, THEIRS), False, "taint maintenance=fan:NoExecute"), ((OURS,), True, "cordoned"), ((), True, "cordoned")],
)
def test_what_others_did_is_never_undone(taints, cordoned: bool, words: str) -> None:
    cluster = Cluster(node(taints=taints, cordoned=cordoned))
    act = accept(cluster)
    after = parse(json.dumps(cluster.nodes["train-001"]))
    assert not act.done
    assert words in act.says
    assert "left to whoever did it" in act.says
    assert (after.ours, after.cordoned, len(after.others)) == ((), cordoned, sum(taint is THEIRS for taint in taints))
    assert not any("cordon" in word for call in cluster.calls for word in call)
    again = accept(cluster)
    assert (again.verb, again.done) == ("leave", False)


@pytest.mark.parametrize("value", ["hold", ""])
def test_our_key_with_another_value_is_of_somebody_else(value: str) -> None:
    theirs = {"key": TAINT, "value": value, "effect": "NoSchedule"}
    cluster = Cluster(node(taints=[OURS, theirs]))
    act = accept(cluster)
    assert not act.done
    assert cluster.nodes["train-001"]["spec"]["taints"] == [theirs]
    assert accept(cluster, accepted=False).done
    assert theirs in cluster.nodes["train-001"]["spec"]["taints"]


@pytest.mark.parametrize("accepted", [True, False])
@pytest.mark.parametrize("how", ["taint", "cordon"])
def test_an_operator_who_acts_between_our_look_and_our_word_loses_nothing(how: str, accepted: bool) -> None:
    cluster = Cluster(node(taints=[OURS]))

    def once(cluster: Cluster) -> None:
        cluster.meanwhile = lambda _cluster: None
        spec = cluster.nodes["train-001"]["spec"]
        if how == "taint":
            spec["taints"] = [*spec["taints"], dict(THEIRS)]
        else:
            spec["unschedulable"] = True
        cluster.touch()

    cluster.meanwhile = lambda cluster: once(cluster) if cluster.calls or not accepted else None
    act = accept(cluster, accepted=accepted)
    after = parse(json.dumps(cluster.nodes["train-001"]))
    assert (after.cordoned, len(after.others)) == (how == "cordon", int(how == "taint"))
    assert after.ours == (() if accepted else ("refused:NoSchedule",))
    assert act.done is not accepted, act.says  # it takes no pods yet, and whoever kept it out is named
    assert len(cluster.tainted) == 2


def test_a_node_that_never_rests_is_left_as_it_is_and_said() -> None:
    cluster = Cluster(node(taints=[OURS]))
    cluster.meanwhile = lambda cluster: cluster.touch()
    act = accept(cluster)
    assert (act.verb, act.done) == ("resume", False)
    assert CONFLICT in act.says
    assert cluster.nodes["train-001"]["spec"]["taints"] == [OURS]
    assert len(cluster.tainted) == TRIES


def test_an_act_that_was_cut_off_is_done_by_the_next_run() -> None:
    cluster = Cluster(node(taints=[OURS]))
    cluster.refuses = "--type=merge"  # the condition is set, the taint is still there
    assert not accept(cluster).done
    assert cluster.nodes["train-001"]["spec"]["taints"] == [OURS]
    cluster.refuses = ""
    assert accept(cluster).done
    assert cluster.nodes["train-001"]["spec"]["taints"] == []


def test_a_taint_of_others_that_keeps_no_pod_away_is_no_matter() -> None:
    soft = {"key": "spot", "effect": "PreferNoSchedule"}
    assert accept(Cluster(node(taints=[OURS, soft]))).done


def test_dry_run_changes_nothing() -> None:
    cluster = Cluster(node())
    assert accept(cluster, dry_run=True).done is False
    assert cluster.calls == []


@pytest.mark.parametrize("refuses", ["--type=merge", "--subresource=status"])
@pytest.mark.parametrize("accepted", [True, False])
def test_a_change_that_is_refused_is_not_done(refuses: str, accepted: bool) -> None:
    cluster = Cluster(node())
    cluster.refuses = refuses
    act = accept(cluster, accepted=accepted)
    assert not act.done
    assert "forbidden" in act.says


def test_a_node_that_the_cluster_does_not_know() -> None:
    [act] = gate.apply_taints([build.decision("train-009")], Cluster(node()), parse_time(NOW))
    assert (act.verb, act.done) == ("leave", False)
    assert "join it first" in act.says


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"metadata": {}, "spec": {}}', '{"kind": "List", "items": []}'])
def test_an_answer_that_is_no_node(text: str) -> None:
    with pytest.raises(ValueError, match=r"no node|Expecting value"):
        parse(text)
    with pytest.raises(OutsideError):
        gate.apply_taints([build.decision()], lambda _argv: (0, text, ""), parse_time(NOW))


def test_a_cluster_that_does_not_answer() -> None:
    with pytest.raises(OutsideError, match="connection refused"):
        gate.apply_taints([build.decision()], lambda _argv: (1, "", "dial tcp: connection refused"), parse_time(NOW))


@pytest.mark.parametrize(
    ("answer", "works", "why"),
    [
        ((0, "yes\n", ""), True, ""),
        ((1, "no\n", ""), False, "this account may not change nodes"),
        ((127, "", "there is no kubectl on this machine"), False, "there is no kubectl"),
        ((1, "", "The connection to the server localhost:8080 was refused"), False, "was refused"),
    ],
)
def test_whether_kubectl_works(answer, works: bool, why: str) -> None:
    works_here, reason = gate.kubectl_works(lambda _argv: answer)
    assert works_here is works
    assert why in reason


def test_a_recorded_node() -> None:
    node = parse(json.dumps(RECORDED))
    assert (node.name, node.ours, node.others, node.cordoned, node.accepted) == (
        "train-001", ("pending:NoSchedule",), (), False, "",
    )  # fmt: skip
    assert plan(build.decision(), node)[0] == "resume"
