"""Changes of a network port of a node, of its cable, and of the cables between switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rackwright.twin.faults.changes.machine import change_machine
from rackwright.twin.faults.fault import Apply
from rackwright.twin.hardware.state import BuiltCable, CableEnd, State, TwinMachine

RAIL = 3
"""The compute port of a node that a fault hits, from 0."""
RAIL_NAMES = frozenset({f"{{compute[{RAIL}]}}", f"NPU {RAIL}"})
INBAND_NAMES = frozenset({"{inband[0]}"})
"""`Fault.names` of the two ports, the first also as the NPU that it is part of: see `campaign.objects`."""


def find_port(machine: TwinMachine, role: str, index: int) -> str:
    """Name of port `index` of a role; empty where the machine has none."""
    names = [nic.name for nic in machine.nics if nic.role == role]
    return names[index % len(names)] if names else ""


def set_port(**fields: Any) -> Apply:
    """Set fields of `parts.link.LinkState` of compute port `RAIL`."""
    return _set_link("compute", RAIL, fields)


def set_inband_port(**fields: Any) -> Apply:
    """Set fields of `parts.link.LinkState` of the first in-band port."""
    return _set_link("inband", 0, fields)


def _set_link(role: str, index: int, fields: Mapping[str, Any]) -> Apply:
    def change(machine: TwinMachine) -> TwinMachine:
        port = find_port(machine, role, index)
        links = (replace(nic, link=replace(nic.link, **fields)) if nic.name == port else nic for nic in machine.nics)
        return replace(machine, nics=tuple(links))

    return change_machine(change)


def change_cables(state: State, changes: Mapping[str, BuiltCable]) -> State:
    """`state` with the cables of `changes`, by name, in place of its own."""
    return replace(state, cables=tuple(changes.get(cable.cable, cable) for cable in state.cables))


def set_cable(**fields: Any) -> Apply:
    """Set fields of the InfiniBand cable of compute port `RAIL`."""

    def apply(state: State, nodes: Sequence[str]) -> State:
        ends = {CableEnd(node, find_port(state.machines[node], "compute", RAIL)) for node in nodes}
        changes = {cable.cable: replace(cable, **fields) for cable in state.cables if cable.a in ends}
        return change_cables(state, changes)

    return apply


def trunk_cables(state: State, node: str) -> list[BuiltCable]:
    """The cables to spines of the leaf of the first compute port of `node`, in the order of the plan."""
    port = find_port(state.machines[node], "compute", 0)
    leaf = next((cable.b.device for cable in state.cables if cable.a == CableEnd(node, port)), "")
    return [cable for cable in state.cables if cable.a.device == leaf]


def set_trunk(number: int, **fields: Any) -> Apply:
    """Set fields of cable `number`, from 0, of the `trunk_cables` of every hit machine; none where there are fewer."""

    def apply(state: State, nodes: Sequence[str]) -> State:
        for node in nodes:
            for cable in trunk_cables(state, node)[number : number + 1]:
                state = change_cables(state, {cable.cable: replace(cable, **fields)})
        return state

    return apply


def set_trunk_counters(number: int, **counters: int) -> Apply:
    """Let the leaf's port of cable `number`, from 0, of the `trunk_cables` of every hit machine count; none where there are fewer."""

    def apply(state: State, nodes: Sequence[str]) -> State:
        for node in nodes:
            for cable in trunk_cables(state, node)[number : number + 1]:
                leaf = state.switches[cable.a.device]
                leaf = replace(leaf, counters={**leaf.counters, cable.a.port: counters})
                state = replace(state, switches={**state.switches, cable.a.device: leaf})
        return state

    return apply


def set_leaf(**fields: Any) -> Apply:
    """Set fields of the first leaf of every hit machine, which has the `trunk_cables`; none where there is no leaf."""

    def apply(state: State, nodes: Sequence[str]) -> State:
        for node in nodes:
            for name in {cable.a.device for cable in trunk_cables(state, node)}:
                state = replace(state, switches={**state.switches, name: replace(state.switches[name], **fields)})
        return state

    return apply


def swap_far_ends(state: State, first: CableEnd, second: CableEnd) -> State:
    """Swap the far ends of the InfiniBand cables of two ports; no change unless both have a cable."""
    cables = [cable for cable in state.cables if cable.a in (first, second)]
    if len(cables) < 2:
        return state
    far_ends = {cables[0].cable: cables[1].b, cables[1].cable: cables[0].b}
    return change_cables(state, {cable.cable: replace(cable, b=far_ends[cable.cable]) for cable in cables})


def swap_ethernet(state: State, first: tuple[str, int], second: tuple[str, int], role: str = "inband") -> State:
    """Swap the far ends of the Ethernet cables of two ports (machine, index) of a role."""
    far_ends = [_far_end(state, node, role, index) for node, index in (first, second)]
    for (node, index), far in zip((first, second), reversed(far_ends), strict=True):
        state = _set_link(role, index, {"far": far})(state, [node])
    return state


def swap_ethernet_ports(role: str) -> Apply:
    """Swap the far ends of the first two Ethernet cables of a role on each node."""

    def apply(state: State, nodes: Sequence[str]) -> State:
        for node in nodes:
            state = swap_ethernet(state, (node, 0), (node, 1), role)
        return state

    return apply


def _far_end(state: State, node: str, role: str, index: int) -> tuple[str, str] | None:
    machine = state.machines[node]
    port = find_port(machine, role, index)
    return next(nic.link.far for nic in machine.nics if nic.name == port)
