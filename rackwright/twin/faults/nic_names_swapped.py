"""Two adapters of a node have each other's names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL, RAIL_NAMES, port
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import Machine, State


def apply(state: State, nodes: Sequence[str]) -> State:
    """The kernel found the slots of two neighbouring compute adapters in the other order."""
    for node in nodes:
        state = state.with_machine(node, _swapped)
    return state


def _swapped(machine: Machine) -> Machine:
    names = [nic.name for nic in machine.nics]
    places = {
        port(machine, "compute", index): names.index(port(machine, "compute", index)) for index in (RAIL - 1, RAIL)
    }
    first, second = places
    slots = {first: wires.slot(places[second]), second: wires.slot(places[first])}
    nics = (replace(nic, link=replace(nic.link, slot=slots.get(nic.name, ""))) for nic in machine.nics)
    return replace(machine, nics=tuple(nics))


FAULT = Fault(
    name="nic-names-swapped",
    summary="Two adapters of a node have each other's names",
    apply=apply,
    checks=frozenset({"nic.names"}),
    names=RAIL_NAMES,
)
