"""One compute cable of a node is not plugged in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.state import State

FABRIC = "compute"


def apply(state: State, nodes: Sequence[str]) -> State:
    """Unplug the cable of the last compute adapter of each node."""
    last = {(node, [nic.name for nic in state.machines[node].nics if nic.role == FABRIC][-1]) for node in nodes}
    cables = (replace(one, connected=one.connected and (one.a.device, one.a.port) not in last) for one in state.cables)
    return replace(state, cables=tuple(cables))


FAULT = Fault(
    name="fabric-cable-missing",
    summary="A compute cable of a node is not plugged in",
    apply=apply,
    checks=frozenset({"fabric.cabling", "fabric.link_rate"}),
)
