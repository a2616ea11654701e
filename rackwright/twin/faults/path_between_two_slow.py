"""The path between two nodes is slow, and both are well with everybody else."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm
from rackwright.twin.hardware.performance.rails import partners
from rackwright.twin.hardware.state import State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Slow with the next node, in both directions; only one of them carries the fault."""
    for node in nodes:
        state = harm.machine(slow_with=dict.fromkeys(partners(state, node)[:1], 0.5))(state, [node])
    return state


FAULT = Fault(
    name="path-between-two-slow",
    summary="The path between two nodes is slow, and both are well with everybody else",
    apply=apply,
    checks=frozenset({"collective.across_nodes", "rail.bandwidth"}),
    names=frozenset({"look at the path between them"}),
    elsewhere=frozenset({"collective.across_nodes", "rail.bandwidth", "peers.rail_bandwidth"}),
    refused=False,
)
