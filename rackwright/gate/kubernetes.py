"""Makes Kubernetes follow the decisions.

The same three rules as for Slurm, in `plan`: only our own taint is ever taken away; cordons and taints of others are left
alone and reported, accepted or not; a refused node gets our taint, also one that is already in service. Taints are written
on the version of the node that was read: whoever changed it meanwhile wins, and the node is looked at anew. It is read back
afterwards: what the API server says counts, not the exit status. Beside the taint stand the reason, as an annotation, and a
node condition that dashboards and schedulers can read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rackwright.base.errors import OutsideError
from rackwright.gate.scheduler import Act, Run
from rackwright.model.gate import Decision

TAINT = "rackwright.io/acceptance"
"""Key of our taint; the role `kubernetes_node` lets the kubelet register with it."""
EFFECT = "NoSchedule"
REASON = "rackwright.io/acceptance-reason"
CONDITION = "RackwrightAccepted"
VALUES = ("pending", "refused")
"""Values that rackwright gives to its taint; the same key with another value was set by somebody else."""
TRIES = 3
"""How often a node is looked at anew that others change while we act on it."""
CONFLICT = "the object has been modified"
"""What an API server says to a write on an old version (apimachinery, OptimisticLockErrorMsg)."""
Step = Literal["resume", "drain", "nothing", "leave"]


@dataclass(frozen=True)
class KubernetesNode:
    """One node as the API server has it."""

    name: str
    cordoned: bool
    ours: tuple[str, ...]
    """Our taint as ``value:effect``, once per effect."""
    others: tuple[str, ...]
    """Taints of others that keep pods away, as ``key=value:effect``."""
    reason: str
    accepted: str
    """Status of our condition (``True``, ``False``), empty without one."""
    version: str = ""
    """``metadata.resourceVersion``: what a write is compared with."""
    taints: tuple[Mapping[str, Any], ...] = ()
    """All of them, as the API has them."""


def parse(text: str) -> KubernetesNode:
    """The node of one ``kubectl get node NAME -o json``; ValueError when it is none."""
    try:
        data = json.loads(text)
        spec, meta = data["spec"], data["metadata"]
        taints = spec.get("taints") or []
        return KubernetesNode(
            name=str(meta["name"]),
            cordoned=bool(spec.get("unschedulable", False)),
            ours=tuple(f"{one['value']}:{one['effect']}" for one in taints if _ours(one)),
            others=tuple(_shown(one) for one in taints if not _ours(one) and one["effect"] != "PreferNoSchedule"),
            reason=str((meta.get("annotations") or {}).get(REASON, "")),
            accepted=_condition(data),
            version=str(meta["resourceVersion"]),
            taints=tuple(taints),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is no node: {error}") from error


def _ours(taint: Mapping[str, Any]) -> bool:
    return taint["key"] == TAINT and taint.get("value") in VALUES


def _shown(taint: dict[str, Any]) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint['key']}{value}:{taint['effect']}"


def _condition(data: dict[str, Any]) -> str:
    conditions = (data.get("status") or {}).get("conditions") or []
    return next((str(one["status"]) for one in conditions if one["type"] == CONDITION), "")


def plan(decision: Decision, seen: KubernetesNode | None) -> tuple[Step, str]:
    """What to do with one node, and why."""
    if seen is None:
        return "leave", "the cluster does not know this node: join it first"
    if not decision.accepted:
        current = f"refused:{EFFECT}" in seen.ours and seen.reason == decision.reason and seen.accepted == "False"
        return ("nothing", f"stays tainted: {decision.reason}") if current else ("drain", decision.reason)
    told = "; ".join((*(["cordoned"] if seen.cordoned else []), *(f"taint {one}" for one in seen.others)))
    note = f"; kept out by others ({told}): left to whoever did it" if told else ""
    if seen.ours or seen.accepted != "True":
        return "resume", f"accepted: {decision.reason}{note}"
    return ("leave", f"accepted{note}") if told else ("nothing", "in service already")


def condition_call(decision: Decision, seen: KubernetesNode, now: str) -> list[str]:
    """The call that sets our condition."""
    status = "True" if decision.accepted else "False"
    condition = {
        "type": CONDITION,
        "status": status,
        "reason": "GateOpen" if decision.accepted else "GateClosed",
        "message": decision.reason,
        "lastHeartbeatTime": now,
        **({"lastTransitionTime": now} if seen.accepted != status else {}),
    }
    patch = json.dumps({"status": {"conditions": [condition]}})
    words = ["--subresource=status", "--type=strategic", f"--patch={patch}"]
    return ["kubectl", "patch", "node", decision.node, *words]


def taint_call(decision: Decision, seen: KubernetesNode) -> list[str]:
    """The call that sets or takes our taint and says why, on the version of the node that was read."""
    patch = json.dumps(_tainted(decision, seen))
    return ["kubectl", "patch", "node", decision.node, "--type=merge", f"--patch={patch}"]


def _tainted(decision: Decision, seen: KubernetesNode) -> dict[str, Any]:
    """The node with the taints of others as they are, ours as decided, on the version that was read."""
    own = [] if decision.accepted else [{"key": TAINT, "value": "refused", "effect": EFFECT}]
    kept = [one for one in seen.taints if not _ours(one)]
    meta = {"resourceVersion": seen.version, "annotations": {REASON: decision.reason}}
    return {"metadata": meta, "spec": {"taints": [*kept, *own]}}


def apply_taints(decisions: Iterable[Decision], run: Run, now: str, *, dry_run: bool = False) -> list[Act]:
    """Carry out every decision; `now` is an ISO time. With `dry_run` nothing is changed.

    Raises OutsideError when the cluster cannot be asked; a node that it refuses to change is an `Act` that is not done.
    """
    return [_apply(decision, run, now, dry_run=dry_run) for decision in decisions]


def _apply(decision: Decision, run: Run, now: str, *, dry_run: bool) -> Act:
    for _ in range(TRIES):
        seen = read(decision.node, run)
        verb, why = plan(decision, seen)
        if seen is None or verb in ("nothing", "leave") or dry_run:
            return Act(decision.node, verb, done=verb == "nothing", says=f"{decision.node}: {why}")
        told = _carry_out(decision, seen, run, now)
        if CONFLICT not in told:
            break
    after = read(decision.node, run)
    if after is not None and not told and plan(decision, after)[0] in ("nothing", "leave"):
        free = not decision.accepted or not (after.cordoned or after.others)
        done = "taint removed" if decision.accepted else "tainted"
        return Act(decision.node, verb, done=free, says=f"{decision.node}: {done}, {why}")
    return Act(decision.node, verb, done=False, says=f"{decision.node}: {verb} did not hold ({told or 'no error'})")


def _carry_out(decision: Decision, seen: KubernetesNode, run: Run, now: str) -> str:
    """Why a call failed; empty when all is done. A refused node is tainted first, an accepted one untainted last."""
    condition = condition_call(decision, seen, now)
    if not decision.accepted:
        return _call(taint_call(decision, seen), run) or _call(condition, run)
    if told := _call(condition, run):
        return told
    fresh = read(decision.node, run)  # our own condition has made it a new version
    return _call(taint_call(decision, fresh), run) if fresh is not None else "the node is gone"


def _call(argv: list[str], run: Run) -> str:
    status, _, error = run(argv)
    return (error.strip().split("\n")[-1] or f"exit status {status}") if status else ""


def read(node: str, run: Run) -> KubernetesNode | None:
    """The node as it is now; None when the cluster does not know it. Raises OutsideError when there is no answer."""
    status, text, error = run(["kubectl", "get", "node", node, "--output=json"])
    if status:
        if "notfound" in error.replace(" ", "").lower():
            return None
        told = (error or text).strip().split("\n")[-1] or f"exit status {status}"
        raise OutsideError(f"Kubernetes does not answer ({told}): check kubectl and the account it uses")
    try:
        return parse(text)
    except ValueError as problem:
        raise OutsideError(f"kubectl said something that is no node ({problem}): check its version") from problem


def kubectl_works(run: Run) -> tuple[bool, str]:
    """Whether `kubectl` reaches a cluster in which this account may change nodes, and why not."""
    status, text, error = run(["kubectl", "auth", "can-i", "patch", "nodes"])
    if status == 0 and text.strip().startswith("yes"):
        return True, ""
    told = (error or text).strip().split("\n")[-1]
    return False, told if told and told != "no" else "this account may not change nodes"
