"""Two RoCE cables of a node are swapped at their leaves."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import swap_ethernet
from rackwright.twin.hardware.state import State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the first two compute cables of each node."""
    for node in nodes:
        state = swap_ethernet(state, (node, 0), (node, 1), role="compute")
    return state


FAULT = Fault(
    name="roce-cables-swapped",
    summary="Two RoCE cables of a node are swapped at their leaves",
    apply=apply,
    checks=frozenset({"ethernet.cabling"}),
    names=frozenset({"{compute[0]}"}),
    needs="roce",
)
