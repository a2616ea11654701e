"""Makes Kubernetes follow the decisions.

`plan` has three of Slurm's rules: only rackwright's own taint is ever removed; cordons and foreign taints
are left alone and reported, accepted or not; a refused node gets the taint even if it is already in service. A node
that was accepted in another boot than the current one is refused like any other. Taints are written to the version of
the node that was read: if it changed meanwhile, the write fails and the node is read again. The result is read back:
the later listing of the API server counts, not the answer to the write. The reason is stored as an annotation beside
the taint, and a node condition is set for dashboards and schedulers. All nodes are listed before and after, and a node
that changes costs two calls in between; the client limits how many run at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal, Protocol

from rackwright.base.errors import OutsideError
from rackwright.gate.kubernetes_node import EFFECT, KubernetesNode, condition_patch, parse, taint_patch
from rackwright.gate.reason import reason_line
from rackwright.gate.scheduler import SchedulerAct
from rackwright.model.gate import Decision
from rackwright.model.node_state import DecidedState

TRIES = 3
"""Number of times that a node is read again if something else changes it at the same time."""
CONFLICT = "the object has been modified"
"""The API server's message for a write to an old version (apimachinery, OptimisticLockErrorMsg)."""
OTHER_BOOT = "evidence.state"
TaintVerb = Literal["resume", "drain", "nothing", "leave"]
Object = Mapping[str, Any]
States = Mapping[str, DecidedState]
"""Node -> its state in the evidence of the decision."""


class Nodes(Protocol):
    """The nodes of a cluster. Raises OutsideError for everything that the API server refuses."""

    async def all(self) -> Sequence[Object]:
        """Every node."""

    async def get(self, name: str) -> Object | None:
        """One node; None if the cluster does not have it."""

    async def patch(self, name: str, change: Object) -> Object:
        """Merge `change` into a node (RFC 7386); returns the changed node."""

    async def patch_status(self, name: str, change: Object) -> Object:
        """Merge `change` into its status, conditions by their type; returns the changed node."""


def plan(decision: Decision, node: KubernetesNode | None) -> tuple[TaintVerb, str]:
    """The action for one node, and the reason."""
    if node is None:
        return "leave", "the cluster does not know this node: join it first"
    if not decision.accepted:
        current = f"refused:{EFFECT}" in node.ours and node.reason == decision.reason and node.accepted == "False"
        return ("nothing", f"stays tainted: {decision.reason}") if current else ("drain", decision.reason)
    keepers = "; ".join((*(["cordoned"] if node.cordoned else []), *(f"taint {taint}" for taint in node.others)))
    note = f"; kept out by others ({keepers}): left to whoever did it" if keepers else ""
    if node.ours or node.accepted != "True":
        return "resume", f"accepted: {decision.reason}{note}"
    return ("leave", f"accepted{note}") if keepers else ("nothing", "in service already")


def of_this_boot(decision: Decision, node: KubernetesNode | None, state: DecidedState | None) -> Decision:
    """`decision`, or a refusal if the accepted node was booted since; an unknown boot is not compared."""
    if not decision.accepted or node is None or state is None or not (state.boot and node.boot):
        return decision
    if state.boot == node.boot:
        return decision
    says = f"booted since its evidence was taken (boot {state.boot[:8]}, now {node.boot[:8]}): collect again"
    return decision.model_copy(
        update={"accepted": False, "blocking": [OTHER_BOOT], "reason": reason_line(f"{OTHER_BOOT}: {says}")}
    )


async def bind_to_boots(decisions: Sequence[Decision], nodes: Nodes, states: States) -> list[Decision]:
    """The decisions, valid for the current boots of the nodes. Raises OutsideError if the cluster does not answer."""
    now = await _listed(nodes)
    return [of_this_boot(decision, now.get(decision.node), states.get(decision.node)) for decision in decisions]


async def apply_taints(
    decisions: Sequence[Decision],
    nodes: Nodes,
    now: datetime,
    states: States = MappingProxyType({}),
    *,
    dry_run: bool = False,
) -> list[SchedulerAct]:
    """Carry out every decision. With `dry_run` nothing is changed.

    Raises OutsideError if the cluster does not answer; a node that it refuses to change is a `SchedulerAct` that is not done.
    """
    before = await _listed(nodes)
    bound = [of_this_boot(entry, before.get(entry.node), states.get(entry.node)) for entry in decisions]
    plans = [plan(decision, before.get(decision.node)) for decision in bound]
    acting = [
        decision
        for decision, (verb, _) in zip(bound, plans, strict=True)
        if verb in ("resume", "drain") and not dry_run
    ]
    errors = await asyncio.gather(*(_carry_out(decision, before[decision.node], nodes, now) for decision in acting))
    failed = {decision.node: error for decision, error in zip(acting, errors, strict=True)}
    after = await _listed(nodes) if acting else before
    acts = [
        _act(decision, verb, why, failed.get(decision.node), after.get(decision.node))
        for decision, (verb, why) in zip(bound, plans, strict=True)
    ]
    kept_out = [entry.accepted and not decision.accepted for entry, decision in zip(decisions, bound, strict=True)]
    return [replace(act, done=act.done and not out) for act, out in zip(acts, kept_out, strict=True)]


def _act(
    decision: Decision, verb: TaintVerb, why: str, error: str | None, after: KubernetesNode | None
) -> SchedulerAct:
    """Result of applying a plan; `error` is None if nothing had to change."""
    if error is None:
        return SchedulerAct(decision.node, verb, done=verb == "nothing", says=f"{decision.node}: {why}")
    if after is not None and not error and plan(decision, after)[0] in ("nothing", "leave"):
        free = not decision.accepted or not (after.cordoned or after.others)
        done = "taint removed" if decision.accepted else "tainted"
        return SchedulerAct(decision.node, verb, done=free, says=f"{decision.node}: {done}, {why}")
    return SchedulerAct(
        decision.node, verb, done=False, says=f"{decision.node}: {verb} did not hold ({error or 'no error'})"
    )


async def _carry_out(decision: Decision, node: KubernetesNode, nodes: Nodes, now: datetime) -> str:
    """Why a node could not be changed; empty if it was."""
    current: KubernetesNode | None = node
    error = ""
    for _ in range(TRIES):
        if current is None:
            return "the node is gone"
        try:
            await _write(decision, current, nodes, now)
        except OutsideError as refusal:
            error = str(refusal)
            if CONFLICT not in error:
                return error
            current = await _read(decision.node, nodes)
        else:
            return ""
    return error


async def _write(decision: Decision, node: KubernetesNode, nodes: Nodes, now: datetime) -> None:
    """Write taint and condition: a refused node is tainted first, an accepted one untainted last."""
    condition = condition_patch(decision, node, now)
    if not decision.accepted:
        await nodes.patch(decision.node, taint_patch(decision, node))
        await nodes.patch_status(decision.node, condition)
        return
    fresh = parse_answer(await nodes.patch_status(decision.node, condition))  # has a new version by our condition
    await nodes.patch(decision.node, taint_patch(decision, fresh))


async def _listed(nodes: Nodes) -> dict[str, KubernetesNode]:
    return {node.name: node for node in map(parse_answer, await nodes.all())}


async def _read(name: str, nodes: Nodes) -> KubernetesNode | None:
    data = await nodes.get(name)
    return parse_answer(data) if data is not None else None


def parse_answer(data: Object) -> KubernetesNode:
    """`parse` of what the API server sent. Raises OutsideError if it is malformed."""
    try:
        return parse(data)
    except ValueError as problem:
        raise OutsideError(f"Kubernetes sent a malformed node ({problem}): check its version") from problem
