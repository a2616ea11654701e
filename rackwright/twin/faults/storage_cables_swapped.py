"""The two storage cables of a node are swapped."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import port, swap_far
from rackwright.twin.hardware.state import CableEnd, State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the first two storage cables of each node."""
    for node in nodes:
        first, second = (CableEnd(node, port(state.machines[node], "storage", index)) for index in (0, 1))
        state = swap_far(state, first, second)
    return state


FAULT = Fault(
    name="storage-cables-swapped",
    summary="The two storage cables of a node are swapped",
    apply=apply,
    checks=frozenset({"fabric.cabling"}),
    names=frozenset({"mlx5_1", "enP6p3s0f1np1"}),
)
