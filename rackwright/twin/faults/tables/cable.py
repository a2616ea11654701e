"""Faults of the cables between nodes and leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults.changes import RAIL, RAIL_NAMES, change_cables, find_port, swap_far_ends
from rackwright.twin.faults.fault import Apply, Fault
from rackwright.twin.hardware.state import BuiltCable, CableEnd, State


def unplug_last_cable(state: State, nodes: Sequence[str]) -> State:
    """Unplug the cable of the last compute adapter of each node."""
    ends = {CableEnd(node, find_port(state.machines[node], "compute", -1)) for node in nodes}
    return change_cables(
        state, {cable.cable: replace(cable, connected=False) for cable in state.cables if cable.a in ends}
    )


def swap_cables_of_two_nodes(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the compute cables of two nodes, adapter by adapter."""
    first, second = nodes
    for nic in state.machines[first].nics:
        if nic.role == "compute":
            state = swap_far_ends(state, CableEnd(first, nic.name), CableEnd(second, nic.name))
    return state


def swap_ports(role: str) -> Apply:
    """Swap the far ends of the first two cables of a role on each node."""

    def swap(state: State, nodes: Sequence[str]) -> State:
        for node in nodes:
            first, second = (CableEnd(node, find_port(state.machines[node], role, index)) for index in (0, 1))
            state = swap_far_ends(state, first, second)
        return state

    return swap


def move_to_another_leaf(state: State, nodes: Sequence[str]) -> State:
    """Move the far end of a compute cable of each node to a free port between used ports of another leaf."""
    for node in nodes:
        end = CableEnd(node, find_port(state.machines[node], "compute", RAIL))
        for cable in state.cables:
            free = _free_port(state, cable) if cable.a == end else None
            if free is not None:
                state = change_cables(state, {cable.cable: replace(cable, b=free)})
    return state


def _free_port(state: State, cable: BuiltCable) -> CableEnd | None:
    """The first free port below a used one on another leaf of the same fabric; None where all leaves are full."""
    peers = (peer for peer in state.cables if peer.fabric == cable.fabric and peer.a.device in state.machines)
    used: dict[str, set[int]] = {peer.b.device: set() for peer in peers if peer.b.device != cable.b.device}
    for end in (end for peer in state.cables for end in (peer.a, peer.b)):
        if end.device in used and end.port.isdecimal():
            used[end.device].add(int(end.port))
    gaps = ((leaf, set(range(1, max(ports, default=1))) - ports) for leaf, ports in used.items())
    return next((CableEnd(leaf, str(min(free))) for leaf, free in gaps if free), None)


FAULTS = (
    Fault(
        name="cable-on-wrong-leaf",
        summary="A compute cable of a node is in a free port of another leaf",
        apply=move_to_another_leaf,
        checks={"fabric.cabling"},
        names=RAIL_NAMES,
        elsewhere={"fabric.unplanned"},
    ),
    Fault(
        name="fabric-cable-missing",
        summary="A compute cable of a node is not plugged in",
        apply=unplug_last_cable,
        checks={"fabric.cabling", "fabric.link_rate"},
    ),
    Fault(
        name="fabric-cables-swapped",
        summary="The compute cables of two nodes are swapped",
        apply=swap_cables_of_two_nodes,
        checks={"fabric.cabling"},
        nodes=2,
    ),
    Fault(
        name="rails-swapped",
        summary="Two compute cables of a node are swapped",
        apply=swap_ports("compute"),
        checks={"fabric.cabling"},
        names={"{compute[0]}"},
    ),
    Fault(
        name="storage-cables-swapped",
        summary="The two storage cables of a node are swapped",
        apply=swap_ports("storage"),
        needs="infiniband-storage",
        checks={"fabric.cabling"},
        names={"mlx5_1", "enP6p3s0f1np1"},
    ),
)
