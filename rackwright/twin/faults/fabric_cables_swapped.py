"""All compute cables of two nodes are plugged into each other's switch ports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.state import BuiltCable, State

FABRIC = "compute"


def apply(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the two nodes' cables, adapter by adapter, on the fabric their compute adapters hang on."""
    first, second = nodes
    role = {nic.name for nic in state.machines[first].nics if nic.role == FABRIC}
    ends = {(cable.a.device, cable.a.port): cable.b for cable in state.cables if cable.a.port in role}
    other = {first: second, second: first}

    def swapped(cable: BuiltCable) -> BuiltCable:
        node, port = cable.a.device, cable.a.port
        if node not in other or port not in role:
            return cable
        return replace(cable, b=ends[other[node], port])

    return replace(state, cables=tuple(swapped(cable) for cable in state.cables))


FAULT = Fault(
    name="fabric-cables-swapped",
    summary="The compute cables of two nodes are swapped",
    apply=apply,
    checks=frozenset({"fabric.cabling"}),
    nodes=2,
)
