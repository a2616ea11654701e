"""A cable between a leaf and a spine loses packets, and both of its ends report a link at full rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import changed_cables, trunks
from rackwright.twin.state import State

LEFT = 0.6
"""Share that is left of a flow which is spread over it with others."""


def apply(state: State, nodes: Sequence[str]) -> State:
    """The fourth cable of the first leaf of each node."""
    for node in nodes:
        for cable in trunks(state, node)[3:4]:
            state = changed_cables(state, {cable.cable: replace(cable, left=LEFT)})
    return state


FAULT = Fault(
    name="leaf-cable-lossy",
    summary="A cable between a leaf and a spine loses packets although its link is up at full rate",
    apply=apply,
    between=True,
    elsewhere=frozenset({"collective.across_nodes", "rail.bandwidth", "peers.rail_bandwidth"}),
    refused=False,
    needs="infiniband",
)
