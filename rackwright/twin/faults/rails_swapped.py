"""Two compute cables of a node are swapped."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import port, swap_far
from rackwright.twin.hardware.state import CableEnd, State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the first two compute cables of each node."""
    for node in nodes:
        first, second = (CableEnd(node, port(state.machines[node], "compute", index)) for index in (0, 1))
        state = swap_far(state, first, second)
    return state


FAULT = Fault(
    name="rails-swapped",
    summary="Two compute cables of a node are swapped",
    apply=apply,
    checks=frozenset({"fabric.cabling"}),
    names=frozenset({"{compute[0]}"}),
)
