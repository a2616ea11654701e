"""The current acceptance status of each node and each group of nodes, from recorded decisions. Pure; it fails closed.

A node is released by its newest decision if its design has not changed since. A group is released if enough of its
nodes are, if its gate was open the last time that all of its nodes were decided together, and if no smaller run has
closed it since.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from rackwright.model.acceptance_status import AcceptanceStatus, SubjectKind
from rackwright.model.gate import Gate
from rackwright.model.last_decisions import GroupStanding, NodeStanding
from rackwright.model.times import second_text

SCOPES: Mapping[SubjectKind, str] = {
    "rack": "rack",
    "fabric": "fabric",
    "pool": "cluster",
    "part": "cluster",
    "site": "site",
}
"""Kind of subject -> scope of the gates that count for it.

A scalable unit has none: it is released with all of its nodes.
"""
MOST_NAMES = 20
"""Number of held nodes that are named."""
Members = Mapping[SubjectKind, Mapping[str, Sequence[str]]]
"""Accelerator nodes of each group, by kind and name of the group."""


@dataclass(frozen=True)
class Condition:
    """One condition of a release."""

    met: bool
    since: datetime | None
    says: str
    run: str = ""


def node_status(
    designs: Mapping[str, str], standings: Iterable[NodeStanding], gate: str
) -> dict[str, AcceptanceStatus]:
    """The status of each node of `designs`, which maps nodes to the hash of their current design."""
    by_node = {standing.node: standing for standing in standings}
    return {node: _of_node(node, design, by_node.get(node), gate) for node, design in designs.items()}


def _of_node(node: str, design: str, standing: NodeStanding | None, gate: str) -> AcceptanceStatus:
    condition = _node_condition(design, standing)
    return AcceptanceStatus(
        kind="node",
        name=node,
        state="released" if condition.met else "held",
        since=second_text(condition.since) if condition.since else None,
        reason=condition.says,
        run=condition.run,
        gate=gate,
        released_nodes=int(condition.met),
        held_nodes=[] if condition.met else [node],
    )


def _node_condition(design: str, standing: NodeStanding | None) -> Condition:
    if standing is None:
        return Condition(met=False, since=None, says="no gate has decided on it yet: run rackwright gate")
    if standing.accepted and standing.state.design != design:
        change = "the design of the node was changed since" if standing.state.design else "it names no design"
        says = f"it was accepted by the run {standing.run}, but {change}: collect again, then run rackwright gate"
        return Condition(met=False, since=None, says=says, run=standing.run)
    return Condition(standing.accepted, standing.since, standing.reason.removeprefix("rackwright: "), standing.run)


def group_status(
    members: Members, nodes: Mapping[str, AcceptanceStatus], standings: Iterable[GroupStanding], chain: Sequence[Gate]
) -> Iterator[AcceptanceStatus]:
    """The status of each group of `members`; `nodes` as from `node_status`, `standings` oldest first."""
    by_group: dict[tuple[str, str], list[GroupStanding]] = {}
    for standing in standings:
        by_group.setdefault((standing.gate, standing.group), []).append(standing)
    for kind, groups in members.items():
        gates = [gate for gate in chain if gate.scope == SCOPES.get(kind)]
        share = max((gate.share for gate in gates), default=1.0)
        for name, names in groups.items():
            of_nodes = [nodes[node] for node in names]
            conditions = [
                _share_condition(of_nodes, share),
                *(_gate_condition(gate, len(names), by_group.get((gate.name, name), ())) for gate in gates),
            ]
            yield _of_group(kind, name, gates[-1].name if gates else chain[-1].name, of_nodes, conditions)


def _of_group(
    kind: SubjectKind, name: str, gate: str, nodes: Sequence[AcceptanceStatus], conditions: Sequence[Condition]
) -> AcceptanceStatus:
    broken = [condition for condition in conditions if not condition.met]
    times = [condition.since for condition in broken or conditions if condition.since is not None]
    complete = len(times) == len(broken or conditions)
    since = (min(times) if broken else max(times)) if complete and times else None
    held = [node.name for node in nodes if node.state == "held"]
    return AcceptanceStatus(
        kind=kind,
        name=name,
        state="held" if broken else "released",
        since=second_text(since) if since else None,
        reason="; ".join(condition.says for condition in broken or conditions),
        run=max((condition.run for condition in conditions), default=""),
        gate=gate,
        nodes=len(nodes),
        released_nodes=len(nodes) - len(held),
        held_nodes=held[:MOST_NAMES],
    )


def _share_condition(nodes: Sequence[AcceptanceStatus], share: float) -> Condition:
    """Whether enough nodes are released, and since when: the time at which the last necessary node was released or
    held.
    """
    released = sorted(node.since or "" for node in nodes if node.state == "released")
    held = sorted(node.since or "" for node in nodes if node.state == "held")
    needed = max(math.ceil(share * len(nodes) - 1e-9), 1)
    says = f"{len(released)} of {len(nodes)} nodes are released, {needed} needed"
    run = max((node.run for node in nodes), default="")
    if len(released) >= needed:
        return Condition(met=True, since=_time(released[needed - 1]), says=says, run=run)
    bearable = len(nodes) - needed
    return Condition(met=False, since=_time(held[bearable]) if len(held) > bearable else None, says=says, run=run)


def _time(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _gate_condition(gate: Gate, nodes: int, standings: Sequence[GroupStanding]) -> Condition:
    complete = [standing for standing in standings if standing.covered >= nodes]
    if not complete:
        return Condition(
            met=False, since=None, says=f"the gate {gate.name} was never decided over all {nodes} nodes together"
        )
    newest = complete[-1]
    later = standings[standings.index(newest) + 1 :]
    deciding = next((standing for standing in reversed(later) if not standing.open), newest)
    return Condition(
        deciding.open,
        deciding.since,
        f"gate {gate.name} {'open' if deciding.open else 'closed'}: {deciding.reason}",
        deciding.run,
    )
