"""A compute cable of a node is in a free port of another leaf."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL, RAIL_NAMES, changed_cables, port
from rackwright.twin.hardware.state import BuiltCable, CableEnd, State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Move the far end of one compute cable of each node to a free port between used ones of another leaf."""
    for node in nodes:
        own = CableEnd(node, port(state.machines[node], "compute", RAIL))
        cable = next((one for one in state.cables if one.a == own), None)
        place = _free(state, cable) if cable is not None else None
        if cable is not None and place is not None:
            state = changed_cables(state, {cable.cable: replace(cable, b=place)})
    return state


def _free(state: State, cable: BuiltCable) -> CableEnd | None:
    """The first free port on another switch of the same fabric that machines hang on; a leaf has some where it is not full."""
    used: dict[str, set[int]] = {}
    for one in state.cables:
        if one.fabric == cable.fabric and one.b.device != cable.b.device and one.a.device in state.machines:
            used.setdefault(one.b.device, set())
    for one in state.cables:
        for end in (one.a, one.b):
            if end.device in used and end.port.isdecimal():
                used[end.device].add(int(end.port))
    gaps = ((leaf, set(range(1, max(ports, default=1))) - ports) for leaf, ports in used.items())
    return next((CableEnd(leaf, str(min(free))) for leaf, free in gaps if free), None)


FAULT = Fault(
    name="cable-on-wrong-leaf",
    summary="A compute cable of a node is in a free port of another leaf",
    apply=apply,
    checks=frozenset({"fabric.cabling"}),
    elsewhere=frozenset({"fabric.unplanned"}),
    names=RAIL_NAMES,
)
