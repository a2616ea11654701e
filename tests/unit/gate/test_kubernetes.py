"""The gate in Kubernetes, against a cluster that answers as an API server of 1.34 does.

``node.json`` has the shape of ``kubectl get node -o json`` (Kubernetes API reference, Node v1, kubectl 1.34).
"""

from __future__ import annotations

import asyncio
import copy
import json
from pathlib import Path

import pytest

from rackwright import gate
from rackwright.base.errors import OutsideError
from rackwright.gate.kubernetes import CONFLICT, TRIES, plan
from rackwright.gate.kubernetes_node import parse
from rackwright.model.node_state import DecidedState
from rackwright.model.times import parse_time
from rackwright.platform.acceptance_guard import CONDITION, REASON, TAINT
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
    """Does what the API server does with the few calls that the gate makes."""

    def __init__(self, data) -> None:
        self.nodes = {"train-001": data}
        self.calls: list[tuple[str, dict]] = []
        """``status`` or ``node``, and the change."""
        self.refuses = ""
        self.meanwhile = lambda _cluster: None
        """Called before every of our changes."""

    async def all(self):
        return copy.deepcopy(list(self.nodes.values()))

    async def get(self, name):
        return copy.deepcopy(self.nodes.get(name))

    async def patch_status(self, name, change):
        data = self.change("status", name, change)
        [condition] = change["status"]["conditions"]
        others = [present for present in data["status"]["conditions"] if present["type"] != condition["type"]]
        data["status"]["conditions"] = [*others, condition]
        self.touch()
        return copy.deepcopy(data)

    async def patch(self, name, change):
        data = self.change("node", name, change)
        if change["metadata"]["resourceVersion"] != data["metadata"]["resourceVersion"]:
            raise OutsideError(f"Node {name}: Operation cannot be fulfilled: {CONFLICT}; please apply")
        data["metadata"].setdefault("annotations", {}).update(change["metadata"]["annotations"])
        data["spec"]["taints"] = change["spec"]["taints"]
        self.touch()
        return copy.deepcopy(data)

    def change(self, part: str, name: str, change: dict) -> dict:
        self.meanwhile(self)
        self.calls.append((part, change))
        if self.refuses == part:
            raise OutsideError("nodes is forbidden")
        return self.nodes[name]

    def touch(self) -> None:
        meta = self.nodes["train-001"]["metadata"]
        meta["resourceVersion"] = str(int(meta["resourceVersion"]) + 1)

    @property
    def tainted(self) -> list[dict]:
        """The taints of every change, in order."""
        return [change["spec"]["taints"] for part, change in self.calls if part == "node"]


def apply(cluster, *decisions, states=None, **options):
    return asyncio.run(gate.apply_taints(decisions, cluster, parse_time(NOW), states or {}, **options))


def accept(cluster, *, accepted=True, **change):
    [act] = apply(cluster, build.decision(accepted=accepted), **change)
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
    assert cluster.calls[-1][0] == "node"  # the taint last: nothing runs before
    assert accept(cluster).verb == "nothing"
    assert len(cluster.calls) == 2


def test_a_refused_node_gets_our_taint_and_the_reason_first_of_all() -> None:
    cluster = Cluster(node(taints=[THEIRS]))
    act = accept(cluster, accepted=False)
    assert (act.verb, act.done) == ("drain", True), act.says
    assert cluster.calls[0][0] == "node"
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
    after = parse(cluster.nodes["train-001"])
    assert not act.done
    assert words in act.says
    assert "left to whoever did it" in act.says
    assert (after.ours, after.cordoned, len(after.others)) == ((), cordoned, sum(taint is THEIRS for taint in taints))
    assert not any("unschedulable" in str(change) for _, change in cluster.calls)
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
    after = parse(cluster.nodes["train-001"])
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
    cluster.refuses = "node"  # the condition is set, the taint is still there
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


@pytest.mark.parametrize("refuses", ["node", "status"])
@pytest.mark.parametrize("accepted", [True, False])
def test_a_change_that_is_refused_is_not_done(refuses: str, accepted: bool) -> None:
    cluster = Cluster(node())
    cluster.refuses = refuses
    act = accept(cluster, accepted=accepted)
    assert not act.done
    assert "forbidden" in act.says


def test_a_node_that_the_cluster_does_not_know() -> None:
    [act] = apply(Cluster(node()), build.decision("train-009"))
    assert (act.verb, act.done) == ("leave", False)
    assert act.says == "train-009: the cluster does not know this node: join it first"


@pytest.mark.parametrize(
    "data", [None, [], {}, {"metadata": {}, "spec": {}}, {"metadata": {"name": "x"}, "spec": None}]
)
def test_an_answer_that_is_no_node(data) -> None:
    with pytest.raises(ValueError, match="no node"):
        parse(data)
    with pytest.raises(OutsideError, match="malformed node"):
        apply(Cluster(data), build.decision())


def test_a_node_that_is_gone_after_a_conflict() -> None:
    cluster = Cluster(node(taints=[OURS]))

    async def vanish(_name):
        return None

    cluster.get = vanish
    cluster.meanwhile = lambda cluster: cluster.touch()
    assert "the node is gone" in accept(cluster).says


def booted(boot: str) -> dict:
    data = node()
    data["status"]["nodeInfo"] = {"bootID": boot}
    return data


@pytest.mark.parametrize(
    ("evidence", "now", "lifted"), [("b1", "b1", True), ("b1", "b2", False), ("", "b2", True), ("b1", "", True)]
)
def test_only_a_verdict_of_the_current_boot_lifts_the_taint(evidence: str, now: str, lifted: bool) -> None:
    """A boot that nobody reported is not compared, as everywhere."""
    cluster = Cluster(booted(now))
    act = accept(cluster, states={"train-001": DecidedState("d", evidence, "580")})
    assert (act.done, cluster.nodes["train-001"]["spec"]["taints"] == []) == (lifted, lifted), act.says


def test_a_node_in_service_that_was_booted_since_is_tainted_again() -> None:
    cluster = Cluster(booted("b1"))
    states = {"train-001": DecidedState("d", "b1", "580")}
    assert accept(cluster, states=states).done
    cluster.nodes["train-001"]["status"]["nodeInfo"]["bootID"] = "b2"
    act = accept(cluster, states=states)
    assert (act.verb, act.done) == ("drain", False)
    assert "evidence.state: booted since its evidence was taken (boot b1, now b2): collect again" in act.says
    assert parse(cluster.nodes["train-001"]).ours == ("refused:NoSchedule",)
    assert accept(cluster, states=states).done is False


def test_whoever_waits_learns_of_a_boot_that_the_evidence_does_not_show() -> None:
    cluster = Cluster(booted("b2"))
    for boot, accepted in (("b1", False), ("b2", True), ("", True)):
        states = {"train-001": DecidedState("d", boot, "580")}
        (decision,) = asyncio.run(gate.bind_to_boots([build.decision()], cluster, states))
        assert decision.accepted is accepted
    assert cluster.calls == []


def test_nodes_are_listed_twice_and_written_twice_each() -> None:
    cluster = Cluster(node())
    lists = []

    async def counted():
        lists.append(1)
        return copy.deepcopy(list(cluster.nodes.values()))

    cluster.all = counted
    accept(cluster)
    assert (len(lists), [part for part, _ in cluster.calls]) == (2, ["status", "node"])


def test_a_recorded_node() -> None:
    node = parse(RECORDED)
    assert (node.name, node.ours, node.others, node.cordoned, node.accepted) == (
        "train-001", ("pending:NoSchedule",), (), False, "",
    )  # fmt: skip
    assert plan(build.decision(), node)[0] == "resume"
