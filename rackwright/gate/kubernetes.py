"""Makes Kubernetes follow the decisions.

`plan` has the same three rules as for Slurm: only rackwright's own taint is ever removed; cordons and foreign taints are left
alone and reported, accepted or not; a refused node gets the taint even if it is already in service. Taints are written to the
version of the node that was read: if it changed meanwhile, the write fails and the node is read again. The result is read
back: the API server's answer counts, not the exit status. The reason is stored as an annotation beside the taint, and a node
condition is set for dashboards and schedulers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from rackwright.base.errors import OutsideError
from rackwright.gate.scheduler import Run, SchedulerAct
from rackwright.model.gate import Decision
from rackwright.model.times import second_text
from rackwright.platform.acceptance_guard import CONDITION, REASON, TAINT

EFFECT = "NoSchedule"
VALUES = ("pending", "refused")
"""Values that rackwright gives to its taint; the same key with a different value is a foreign taint."""
TRIES = 3
"""How often a node is read again when something else changes it at the same time."""
CONFLICT = "the object has been modified"
"""The API server's message for a write to an old version (apimachinery, OptimisticLockErrorMsg)."""
TaintVerb = Literal["resume", "drain", "nothing", "leave"]


@dataclass(frozen=True)
class KubernetesNode:
    """One node as the API server reports it."""

    name: str
    cordoned: bool
    ours: tuple[str, ...]
    """Our taint as ``value:effect``, once per effect."""
    others: tuple[str, ...]
    """Foreign taints that keep pods away, as ``key=value:effect``."""
    reason: str
    accepted: str
    """Status of our condition (``True``, ``False``), empty without one."""
    version: str
    """``metadata.resourceVersion``: writes are compared with it."""
    taints: tuple[Mapping[str, Any], ...]
    """All taints, as in the API."""


def parse(text: str) -> KubernetesNode:
    """The node in the output of ``kubectl get node NAME -o json``. Raises ValueError if malformed."""
    try:
        data = json.loads(text)
        spec, meta = data["spec"], data["metadata"]
        taints = spec.get("taints") or []
        return KubernetesNode(
            name=str(meta["name"]),
            cordoned=bool(spec.get("unschedulable", False)),
            ours=tuple(f"{taint['value']}:{taint['effect']}" for taint in taints if _is_our_taint(taint)),
            others=tuple(
                _taint_text(taint)
                for taint in taints
                if not _is_our_taint(taint) and taint["effect"] != "PreferNoSchedule"
            ),
            reason=str((meta.get("annotations") or {}).get(REASON, "")),
            accepted=_condition(data),
            version=str(meta["resourceVersion"]),
            taints=tuple(taints),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is no node: {error}") from error


def _is_our_taint(taint: Mapping[str, Any]) -> bool:
    return taint["key"] == TAINT and taint.get("value") in VALUES


def _taint_text(taint: dict[str, Any]) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint['key']}{value}:{taint['effect']}"


def _condition(data: dict[str, Any]) -> str:
    conditions = (data.get("status") or {}).get("conditions") or []
    return next((str(condition["status"]) for condition in conditions if condition["type"] == CONDITION), "")


def plan(decision: Decision, node: KubernetesNode | None) -> tuple[TaintVerb, str]:
    """What to do with one node, and why."""
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


def condition_call(decision: Decision, node: KubernetesNode, now: datetime) -> list[str]:
    """The call that sets our condition."""
    status, time = "True" if decision.accepted else "False", second_text(now)
    condition = {
        "type": CONDITION,
        "status": status,
        "reason": "GateOpen" if decision.accepted else "GateClosed",
        "message": decision.reason,
        "lastHeartbeatTime": time,
        **({"lastTransitionTime": time} if node.accepted != status else {}),
    }
    patch = json.dumps({"status": {"conditions": [condition]}})
    words = ["--subresource=status", "--type=strategic", f"--patch={patch}"]
    return ["kubectl", "patch", "node", decision.node, *words]


def taint_call(decision: Decision, node: KubernetesNode) -> list[str]:
    """The call that sets or removes the taint and states the reason, on the version of the node that was read."""
    patch = json.dumps(_tainted_node(decision, node))
    return ["kubectl", "patch", "node", decision.node, "--type=merge", f"--patch={patch}"]


def _tainted_node(decision: Decision, node: KubernetesNode) -> dict[str, Any]:
    """The node with foreign taints unchanged and ours as decided, on the version that was read."""
    our_taints = [] if decision.accepted else [{"key": TAINT, "value": "refused", "effect": EFFECT}]
    foreign = [taint for taint in node.taints if not _is_our_taint(taint)]
    meta = {"resourceVersion": node.version, "annotations": {REASON: decision.reason}}
    return {"metadata": meta, "spec": {"taints": [*foreign, *our_taints]}}


def apply_taints(
    decisions: Iterable[Decision], run: Run, now: datetime, *, dry_run: bool = False
) -> list[SchedulerAct]:
    """Carry out every decision. With `dry_run` nothing is changed.

    Raises OutsideError if the cluster does not answer; a node that it refuses to change is a `SchedulerAct` that is not done.
    """
    return [_apply(decision, run, now, dry_run=dry_run) for decision in decisions]


def _apply(decision: Decision, run: Run, now: datetime, *, dry_run: bool) -> SchedulerAct:
    for _ in range(TRIES):
        node = read(decision.node, run)
        verb, why = plan(decision, node)
        if node is None or verb in ("nothing", "leave") or dry_run:
            return SchedulerAct(decision.node, verb, done=verb == "nothing", says=f"{decision.node}: {why}")
        error = _carry_out(decision, node, run, now)
        if CONFLICT not in error:
            break
    after = read(decision.node, run)
    if after is not None and not error and plan(decision, after)[0] in ("nothing", "leave"):
        free = not decision.accepted or not (after.cordoned or after.others)
        done = "taint removed" if decision.accepted else "tainted"
        return SchedulerAct(decision.node, verb, done=free, says=f"{decision.node}: {done}, {why}")
    return SchedulerAct(
        decision.node, verb, done=False, says=f"{decision.node}: {verb} did not hold ({error or 'no error'})"
    )


def _carry_out(decision: Decision, node: KubernetesNode, run: Run, now: datetime) -> str:
    """Why a call failed; empty if all succeeded. A refused node is tainted first, an accepted one untainted last."""
    condition = condition_call(decision, node, now)
    if not decision.accepted:
        return _call(taint_call(decision, node), run) or _call(condition, run)
    if error := _call(condition, run):
        return error
    fresh = read(decision.node, run)  # our own condition has made it a new version
    return _call(taint_call(decision, fresh), run) if fresh is not None else "the node is gone"


def _call(argv: list[str], run: Run) -> str:
    status, _, error = run(argv)
    return (error.strip().split("\n")[-1] or f"exit status {status}") if status else ""


def read(node: str, run: Run) -> KubernetesNode | None:
    """The current node; None if the cluster does not know it. Raises OutsideError if there is no answer."""
    status, text, error = run(["kubectl", "get", "node", node, "--output=json"])
    if status:
        if "notfound" in error.replace(" ", "").lower():
            return None
        message = (error or text).strip().split("\n")[-1] or f"exit status {status}"
        raise OutsideError(f"Kubernetes does not answer ({message}): check kubectl and the account it uses")
    try:
        return parse(text)
    except ValueError as problem:
        raise OutsideError(f"kubectl said something that is no node ({problem}): check its version") from problem


def kubectl_works(run: Run) -> tuple[bool, str]:
    """Whether `kubectl` reaches a cluster in which this account may change nodes; if not, the reason."""
    status, text, error = run(["kubectl", "auth", "can-i", "patch", "nodes"])
    if status == 0 and text.strip().startswith("yes"):
        return True, ""
    message = (error or text).strip().split("\n")[-1]
    return False, message if message and message != "no" else "this account may not change nodes"
