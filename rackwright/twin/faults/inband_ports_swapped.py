"""The two in-band cables of a node are swapped."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import INBAND_NAMES, swap_ethernet
from rackwright.twin.hardware.state import State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the first two in-band cables of each node."""
    for node in nodes:
        state = swap_ethernet(state, (node, 0), (node, 1))
    return state


FAULT = Fault(
    name="inband-ports-swapped",
    summary="The two in-band cables of a node are swapped",
    apply=apply,
    checks=frozenset({"ethernet.cabling"}),
    names=INBAND_NAMES,
)
