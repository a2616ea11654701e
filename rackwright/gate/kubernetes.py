"""Makes Kubernetes follow the decisions. In: decisions and a way to run `kubectl`. Out: what was done to each node.

The same three rules as for Slurm, in `plan`: only our own taint is ever taken away; cordons and taints of others are left
alone and reported, accepted or not; a refused node gets our taint, also one that is already in service. The node is read
back afterwards: what the API server says counts, not the exit status. Beside the taint stand the reason, as an annotation,
and a node condition that dashboards and schedulers can read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from rackwright.errors import OutsideError
from rackwright.gate.scheduler import Act, Run
from rackwright.model.gate import Decision

TAINT = "rackwright.io/acceptance"
"""Key of our taint; the role `kubernetes_node` lets the kubelet register with it."""
EFFECT = "NoSchedule"
REASON = "rackwright.io/acceptance-reason"
CONDITION = "RackwrightAccepted"
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


def parse(text: str) -> KubernetesNode:
    """The node of one ``kubectl get node NAME -o json``; ValueError when it is none."""
    try:
        data = json.loads(text)
        spec, meta = data["spec"], data["metadata"]
        taints = spec.get("taints") or []
        return KubernetesNode(
            name=str(meta["name"]),
            cordoned=bool(spec.get("unschedulable", False)),
            ours=tuple(f"{one.get('value', '')}:{one['effect']}" for one in taints if one["key"] == TAINT),
            others=tuple(_shown(one) for one in taints if one["key"] != TAINT and one["effect"] != "PreferNoSchedule"),
            reason=str((meta.get("annotations") or {}).get(REASON, "")),
            accepted=_condition(data),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is no node: {error}") from error


def _shown(taint: dict[str, Any]) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint['key']}{value}:{taint['effect']}"


def _condition(data: dict[str, Any]) -> str:
    conditions = (data.get("status") or {}).get("conditions") or []
    return next((str(one["status"]) for one in conditions if one["type"] == CONDITION), "")


def plan(decision: Decision, seen: KubernetesNode | None) -> tuple[Step, str]:
    """What to do with one node, and why. Pure."""
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


def commands(decision: Decision, seen: KubernetesNode, now: str) -> list[list[str]]:
    """The calls that carry `decision` out. A refused node is tainted first, an accepted one untainted last."""
    node = decision.node
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
    say = [
        ["kubectl", "annotate", "node", node, f"{REASON}={decision.reason}", "--overwrite"],
        ["kubectl", "patch", "node", node, "--subresource=status", "--type=strategic", f"--patch={patch}"],
    ]
    if not decision.accepted:
        return [["kubectl", "taint", "node", node, f"{TAINT}=refused:{EFFECT}", "--overwrite"], *say]
    return [*say, *([["kubectl", "taint", "node", node, f"{TAINT}-"]] if seen.ours else [])]


def apply_taints(decisions: Iterable[Decision], run: Run, now: str, *, dry_run: bool = False) -> list[Act]:
    """Carry out every decision; `now` is an ISO time. With `dry_run` nothing is changed.

    Raises OutsideError when the cluster cannot be asked; a node that it refuses to change is an `Act` that is not done.
    """
    return [_apply(decision, run, now, dry_run=dry_run) for decision in decisions]


def _apply(decision: Decision, run: Run, now: str, *, dry_run: bool) -> Act:
    seen = read(decision.node, run)
    verb, why = plan(decision, seen)
    if seen is None or verb in ("nothing", "leave") or dry_run:
        return Act(decision.node, verb, done=verb == "nothing", says=f"{decision.node}: {why}")
    told = ""
    for argv in commands(decision, seen, now):
        status, _, error = run(argv)
        told = told or (error.strip().split("\n")[-1] if status else "")
    after = read(decision.node, run)
    if after is not None and not told and plan(decision, after)[0] in ("nothing", "leave"):
        free = not decision.accepted or not (after.cordoned or after.others)
        done = "taint removed" if decision.accepted else "tainted"
        return Act(decision.node, verb, done=free, says=f"{decision.node}: {done}, {why}")
    return Act(decision.node, verb, done=False, says=f"{decision.node}: {verb} did not hold ({told or 'no error'})")


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
