"""How faults of the network take hold: on one port of each node, on the cables of a node, on the cables between switches.

Ports are told by their role and their place among its ports, counted
on from 0 again where a machine has fewer; a machine without such a port is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from rackwright.twin.faults import on_machines
from rackwright.twin.hardware.parts.link import LinkState
from rackwright.twin.hardware.state import BuiltCable, CableEnd, Machine, NicPort, State

Apply = Callable[[State, Sequence[str]], State]
RAIL = 3
"""Which of a node's compute ports a fault hits, from 0."""
RAIL_NAMES = frozenset({f"{{compute[{RAIL}]}}"})
INBAND_NAMES = frozenset({"{inband[0]}"})
"""What they are called on the machine that is hit: see `campaign.objects`."""


def port(machine: Machine, role: str, index: int) -> str:
    """Name of port `index` of a role; empty where the machine has none."""
    names = [nic.name for nic in machine.nics if nic.role == role]
    return names[index % len(names)] if names else ""


def on_port(change: Callable[[LinkState], LinkState], role: str = "compute", index: int = RAIL) -> Apply:
    """An `apply` that changes one port of every hit machine."""

    def changed(machine: Machine) -> Machine:
        name = port(machine, role, index)
        return replace(machine, nics=tuple(_changed(nic, change) if nic.name == name else nic for nic in machine.nics))

    return on_machines(changed)


def _changed(nic: NicPort, change: Callable[[LinkState], LinkState]) -> NicPort:
    return replace(nic, link=change(nic.link))


def on_cable(change: Callable[[BuiltCable], BuiltCable]) -> Apply:
    """An `apply` that changes the InfiniBand cable of that compute port of every hit machine."""

    def apply(state: State, nodes: Sequence[str]) -> State:
        hit = {CableEnd(node, port(state.machines[node], "compute", RAIL)) for node in nodes}
        return replace(state, cables=tuple(change(one) if one.a in hit else one for one in state.cables))

    return apply


def swap_far(state: State, first: CableEnd, second: CableEnd) -> State:
    """The cables of two ports plugged into each other's places at the far end."""
    far = {cable.a: cable.b for cable in state.cables if cable.a in (first, second)}
    other = {first: second, second: first}
    cables = (replace(one, b=far[other[one.a]]) if one.a in other and len(far) > 1 else one for one in state.cables)
    return replace(state, cables=tuple(cables))


def trunks(state: State, node: str) -> list[BuiltCable]:
    """The cables between switches of the leaf that the first compute port of `node` hangs on, in the order of the plan."""
    name = port(state.machines[node], "compute", 0)
    leaf = next((cable.b.device for cable in state.cables if cable.a == CableEnd(node, name)), "")
    return [cable for cable in state.cables if cable.a.device == leaf]


def on_trunk(place: int, change: Callable[[BuiltCable], BuiltCable]) -> Apply:
    """An `apply` that changes the cable at that place among the `trunks` of every hit machine, where there are so many."""

    def apply(state: State, nodes: Sequence[str]) -> State:
        for node in nodes:
            for cable in trunks(state, node)[place : place + 1]:
                state = changed_cables(state, {cable.cable: change(cable)})
        return state

    return apply


def changed_cables(state: State, changes: dict[str, BuiltCable]) -> State:
    """`state` with the cables of `changes` (by name) in the place of its own."""
    return replace(state, cables=tuple(changes.get(one.cable, one) for one in state.cables))


def swap_ethernet(state: State, first: tuple[str, int], second: tuple[str, int], role: str = "inband") -> State:
    """The Ethernet cables of two ports (machine, index) of a role plugged into each other's places at the far end."""
    names = {one: port(state.machines[one[0]], role, one[1]) for one in (first, second)}
    far = {one: _link(state, one[0], name).far for one, name in names.items()}
    for one, other in ((first, second), (second, first)):
        state = on_port(partial(_ending, far=far[other]), role, one[1])(state, [one[0]])
    return state


def _ending(link: LinkState, far: tuple[str, str] | None) -> LinkState:
    return replace(link, far=far)


def _link(state: State, node: str, name: str) -> LinkState:
    return next(nic.link for nic in state.machines[node].nics if nic.name == name)
