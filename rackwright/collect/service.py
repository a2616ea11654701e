"""Determines which nodes take jobs, and must therefore not be put under load.

If a scheduler does not answer, all its nodes are refused: a load beside a user's job is worse than a burn-in that
waits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rackwright.base.errors import OutsideError
from rackwright.collect import collector
from rackwright.model.design import Node
from rackwright.model.evidence.scheduler import SchedulerNode

Run = Callable[[Sequence[str]], tuple[int, str, str]]
"""Runs an argument list: exit status, standard output, standard error."""

WORKING = frozenset({"allocated", "alloc", "mixed", "mix", "completing", "comp"})
"""States of Slurm in which jobs run on a node (scontrol manual, node states)."""
ASIDE = frozenset(
    {"drain", "drained", "draining", "down", "fail", "failing", "maint", "maintenance", "future", "powered_down"}
)
"""States of Slurm in which it starts no further job on the node."""
STAYS = frozenset({"DaemonSet", "Node"})
"""Kinds of owners whose pods belong to a Kubernetes node itself."""
ANYWAY = "name --unscheduled when they take no jobs yet"


def refused_nodes(nodes: Sequence[Node], slurm: Run | None, kubectl: Run | None) -> dict[str, str]:
    """Node -> why it must not be put under load; nodes without a scheduler, or unknown to theirs, are never refused.

    `slurm` runs commands on a controller, `kubectl` on the operator's machine; None if there is no such machine.
    """
    reasons: dict[str, str] = {}
    for name, run, ask in (("slurm", slurm, _slurm), ("kubernetes", kubectl, _kubernetes)):
        members = [node.name for node in nodes if node.scheduler == name]
        if members:
            reasons |= ask(members, run)
    return reasons


def unavailable_nodes(nodes: Sequence[SchedulerNode], instead: str) -> dict[str, str]:
    """Node -> why Slurm would start nothing there, ending with the alternative `instead`."""
    return {
        node.name: f"Slurm starts nothing on {node.name} ({'+'.join(node.states)}): {instead}"
        for node in nodes
        if {state.lower() for state in node.states} & ASIDE
    }


def not_served(nodes: Sequence[Node], slurm: Run) -> dict[str, str]:
    """Node -> why Slurm cannot start a test on it; all nodes if Slurm does not answer."""
    instead = "use --via mpi, or resume it"
    try:
        reasons = unavailable_nodes(
            collector.library()["scheduler"].parse(_output_of(slurm, ["scontrol", "show", "node"])), instead
        )
    except (ValueError, OSError, OutsideError) as problem:
        return {node.name: f"Slurm does not answer ({problem})" for node in nodes}
    return {node.name: reasons[node.name] for node in nodes if node.name in reasons}


def _slurm(nodes: Sequence[str], run: Run | None) -> dict[str, str]:
    if run is None:
        return dict.fromkeys(nodes, f"there is no controller to ask whether jobs run on it; {ANYWAY}")
    try:
        output = _output_of(run, ["scontrol", "show", "node"])
        by_name: Mapping[str, SchedulerNode] = {
            entry.name: entry for entry in collector.library()["scheduler"].parse(output)
        }
    except (ValueError, OSError, OutsideError) as problem:
        return dict.fromkeys(nodes, f"Slurm does not say whether jobs run on it ({problem}); {ANYWAY}")
    return {node: state for node in nodes if (state := _state(by_name.get(node)))}


def _state(node: SchedulerNode | None) -> str:
    if node is None:
        return ""
    states, text = {state.lower() for state in node.states}, "+".join(node.states)
    if states & WORKING:
        return f"jobs run on it (Slurm: {text}): drain it and wait until they end"
    if states & ASIDE:
        return ""
    return (
        f"Slurm gives it jobs ({text}): drain it first, scontrol update NodeName={node.name} State=DRAIN Reason=burn-in"
    )


def _kubernetes(nodes: Sequence[str], run: Run | None) -> dict[str, str]:
    if run is None:
        return dict.fromkeys(nodes, f"there is no kubectl to ask whether pods run on it; {ANYWAY}")
    try:
        by_name = {entry["metadata"]["name"]: entry for entry in _items(run, "nodes")}
        pods = _items(run, "pods", "--all-namespaces", "--field-selector=status.phase=Running")
        working = {entry["spec"].get("nodeName") for entry in pods if not _is_permanent(entry)}
    except (ValueError, KeyError, TypeError, OSError, OutsideError) as problem:
        return dict.fromkeys(nodes, f"Kubernetes does not say whether pods run on it ({problem}); {ANYWAY}")
    reasons = {}
    for node in nodes:
        if node in by_name and node in working:
            reasons[node] = f"pods run on it: kubectl drain {node} --ignore-daemonsets, and wait until they end"
        elif node in by_name and not _takes_no_pods(by_name[node]["spec"]):
            reasons[node] = f"Kubernetes gives it pods: kubectl cordon {node} first"
    return reasons


def _items(run: Run, *words: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = json.loads(_output_of(run, ["kubectl", "get", *words, "--output=json"]))["items"]
    return items


def _output_of(run: Run, argv: Sequence[str]) -> str:
    """Standard output; ValueError with the last line of the error output if the command failed."""
    status, output, error = run(argv)
    if status:
        raise ValueError(((error or output).strip().splitlines() or ["it printed nothing"])[-1])
    return output


def _is_permanent(pod: Mapping[str, Any]) -> bool:
    return any(owner["kind"] in STAYS for owner in pod["metadata"].get("ownerReferences") or [])


def _takes_no_pods(spec: Mapping[str, Any]) -> bool:
    taints = spec.get("taints") or []
    return bool(spec.get("unschedulable")) or any(taint["effect"] in {"NoSchedule", "NoExecute"} for taint in taints)
