"""Selects the nodes for the faults of a rehearsal: nodes on which each fault shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rackwright.base.errors import UsageError
from rackwright.model.design import Design
from rackwright.twin import faults
from rackwright.twin.campaign.play import Stage
from rackwright.twin.faults import Fault, Injected

Pools = Mapping[tuple[str, ...], frozenset[str]]
"""Nodes of each pool -> names of the judged faults that show there."""


def choose_nodes(names: Sequence[str], nodes: Sequence[str], design: Design, now: str) -> list[Injected]:
    """The faults with these names, each on its own nodes; joined faults such as ``drive-worn+psu-failed`` share theirs.

    A fault gets nodes of one pool on which a check can find it, if the twin has any. Faults choose in order, or, if that leaves one without nodes,
    those that need most nodes first; the default faults share nodes if there are too few. Raises UsageError if no such nodes remain, and for an
    unknown name. `now`: time as the ledger writes it.
    """
    groups = {name: faults.together(name) for name in names}
    if not groups:
        return []
    pools = _pools(nodes, design, now)
    most = sorted(groups, key=lambda name: -max(fault.nodes for fault in groups[name]))
    try:
        chosen = _choose(groups, pools)
    except UsageError:
        try:
            chosen = _choose({name: groups[name] for name in most}, pools)
        except UsageError:
            if tuple(names) != faults.DEFAULT:
                raise
            groups = {faults.TOGETHER.join(names): [fault for group in groups.values() for fault in group]}
            chosen = _choose(groups, pools)
    return [Injected(fault, tuple(chosen[name][: fault.nodes])) for name, group in groups.items() for fault in group]


def _pools(nodes: Sequence[str], design: Design, now: str) -> Pools:
    by_pool: dict[str, list[str]] = {}
    for node in nodes:
        by_pool.setdefault(design.node(node).pool, []).append(node)
    stages = [Stage(design, tuple(members), now) for members in by_pool.values()]
    return {stage.nodes: frozenset(stage.place.faults) for stage in stages}


def _choose(groups: Mapping[str, Sequence[Fault]], pools: Pools) -> dict[str, Sequence[str]]:
    chosen: dict[str, Sequence[str]] = {}
    for name, group in groups.items():
        used = {node for earlier in chosen.values() for node in earlier}
        chosen[name] = _choice(name, group, {nodes: [n for n in nodes if n not in used] for nodes in pools}, pools)
    return chosen


def _choice(
    name: str, group: Sequence[Fault], free: Mapping[tuple[str, ...], Sequence[str]], pools: Pools
) -> Sequence[str]:
    required = max(fault.nodes for fault in group)
    judged = {fault.name for fault in group if fault.judged}
    showing = [nodes for nodes in free if judged <= pools[nodes]] or list(free)
    for members in (free[nodes] for nodes in showing):
        if len(members) >= required:
            return members[:required]
    raise UsageError(
        f"the fault {name} needs {required} accelerator nodes of one pool for itself, on which it shows, and none such are left: give a larger "
        "--nodes, name nodes, or join faults with +"
    )
