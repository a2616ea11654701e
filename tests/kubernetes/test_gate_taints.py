"""Decisions carried out on a real API server: taints, conditions and reasons of its nodes, over one client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from rackwright import collect, gate
from rackwright.flow.cluster_nodes import ClusterNodes
from rackwright.flow.evidence_extract import gate_extract
from rackwright.kubernetes.client import ApiClient
from rackwright.model.gate import Decision
from rackwright.model.node_state import DecidedState
from rackwright.model.times import parse_time
from rackwright.model.verdict import Outcome
from rackwright.platform.acceptance_guard import CONDITION, REASON, TAINT
from tests import build
from tests.attacks.test_old_evidence import BURN, CHANGES, LIBRARY, NODE, outputs, record
from tests.kubernetes.control_plane import ControlPlane

pytestmark = [pytest.mark.kubernetes, pytest.mark.kubectl, pytest.mark.xdist_group("kubernetes")]
NOW = parse_time("2026-11-21T10:00:00+00:00")
NAMES = [f"gate-{number:03d}" for number in range(6)]
PENDING = {"key": TAINT, "value": "pending", "effect": "NoSchedule"}


@pytest.fixture
def nodes(plane: ControlPlane):
    """Nodes as their kubelets register them."""
    entries = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": {"taints": [PENDING]}}
        for name in NAMES
    ]
    plane.do("create", "--filename=-", feed=json.dumps({"apiVersion": "v1", "kind": "List", "items": entries}))
    yield NAMES
    plane.do("delete", "node", "--wait=false", *NAMES)


def apply(plane: ControlPlane, decisions: Sequence[Decision], states=None, **options) -> list[gate.SchedulerAct]:
    async def run() -> list[gate.SchedulerAct]:
        client = await ApiClient.connect(plane.kubeconfig())
        assert await client.may("patch", "nodes")
        return await gate.apply_taints(decisions, ClusterNodes(client), NOW, states or {}, **options)

    return asyncio.run(run())


def read(plane: ControlPlane, name: str) -> dict:
    return json.loads(plane.do("get", "node", name, "--output=json"))


def our_taints(node: dict) -> list[str]:
    return [taint["value"] for taint in node["spec"].get("taints", []) if taint["key"] == TAINT]


def test_accepted_nodes_are_free_and_refused_ones_are_not(plane, nodes) -> None:
    decisions = [build.decision(name, accepted=name != NAMES[0]) for name in nodes]
    assert all(act.says.endswith(build.decision().reason) for act in apply(plane, decisions[1:], dry_run=True))
    acts = apply(plane, [*decisions, build.decision("not-joined")])
    assert [act.done for act in acts] == [*[True] * len(nodes), False]
    first, second = (read(plane, name) for name in NAMES[:2])
    assert (our_taints(first), our_taints(second)) == (["refused"], [])
    assert first["metadata"]["annotations"][REASON] == decisions[0].reason
    conditions = [
        entry["status"]
        for node in (first, second)
        for entry in node["status"]["conditions"]
        if entry["type"] == CONDITION
    ]
    assert conditions == ["False", "True"]
    assert {act.verb for act in apply(plane, decisions)} == {"nothing"}


def test_a_node_that_was_booted_since_is_tainted_again(plane, nodes) -> None:
    name = nodes[0]
    set_boot(plane, name, "b1")
    states = {name: DecidedState("d", "b1", "580")}
    assert apply(plane, [build.decision(name)], states)[0].done
    set_boot(plane, name, "b2")
    [act] = apply(plane, [build.decision(name)], states)
    assert (act.done, our_taints(read(plane, name))) == (False, ["refused"])
    assert "collect again" in act.says


def set_boot(plane: ControlPlane, name: str, boot: str) -> None:
    change = json.dumps({"status": {"nodeInfo": {"bootID": boot}}})
    plane.do("patch", "node", name, "--subresource=status", "--type=merge", f"--patch={change}")


def test_an_operators_taint_between_our_look_and_our_write_stays(plane, nodes) -> None:
    """The real server refuses the write to the old version, and the node is read again."""
    name = nodes[0]

    async def run() -> list[gate.SchedulerAct]:
        cluster = ClusterNodes(await ApiClient.connect(plane.kubeconfig()))
        patch, interrupted = cluster.patch, []

        async def late(node: str, change):
            if not interrupted:
                interrupted.append(node)
                plane.do("taint", "node", node, "fan=slow:NoExecute")
            return await patch(node, change)

        cluster.patch = late  # type: ignore[method-assign]
        return await gate.apply_taints([build.decision(name)], cluster, NOW)

    [act] = asyncio.run(run())
    keys = [taint["key"] for taint in read(plane, name)["spec"]["taints"]]
    assert (act.done, keys) == (False, ["fan"]), act.says


def decide(store: collect.Store, cabling: Outcome = Outcome.PASS) -> tuple[list[Decision], gate.States]:
    """The decision on a node from stored evidence, and what it was decided on."""
    extract = gate_extract(build.site_design(), {}, collect.load_merged(store, collectors=LIBRARY).values(), [NODE])
    verdicts = [build.verdict("gpu.count", NODE, Outcome.PASS), build.verdict("fabric.cabling", NODE, cabling)]
    holds = gate.state_holds(extract.changed, [NODE])
    return gate.decide_nodes(verdicts, build.gate(("gpu.*", "fabric.*")), [], NOW.date(), [NODE], holds), extract.states


@pytest.mark.parametrize("change", ["driver", "BIOS", "serial of an accelerator", "cable"])
def test_a_node_in_service_that_changes_is_tainted_again(plane, tmp_path: Path, change: str) -> None:
    entry = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}, "spec": {"taints": [PENDING]}}
    plane.do("create", "--filename=-", feed=json.dumps(entry))
    try:
        store = collect.Store(tmp_path / "evidence")
        record(store, "collect", "state", outputs())
        record(store, "burn-in", "load", BURN)
        assert apply(plane, *decide(store))[0].done
        assert our_taints(read(plane, NODE)) == []
        record(store, "collect again", "state", outputs(CHANGES[change][0]) if change in CHANGES else outputs())
        [act] = apply(plane, *decide(store, Outcome.FAIL if change == "cable" else Outcome.PASS))
        node = read(plane, NODE)
        assert (act.verb, act.done, our_taints(node)) == ("drain", True, ["refused"]), act.says
        words = (
            "fabric.cabling"
            if change == "cable"
            else "evidence.state: Clock of 2026-11-23T11:00 speak of another state"
        )
        assert words in node["metadata"]["annotations"][REASON]
    finally:
        plane.do("delete", "node", NODE, "--wait=false")
