"""The in-band cables of two nodes are swapped."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import INBAND_NAMES, swap_ethernet
from rackwright.twin.hardware.state import State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the first in-band cables of the two nodes."""
    first, second = nodes
    return swap_ethernet(state, (first, 0), (second, 0))


FAULT = Fault(
    name="inband-cables-swapped",
    summary="The in-band cables of two nodes are swapped",
    apply=apply,
    checks=frozenset({"ethernet.cabling"}),
    nodes=2,
    names=INBAND_NAMES,
)
