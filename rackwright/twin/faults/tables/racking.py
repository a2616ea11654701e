"""Faults of racking: machines that are not where they are declared. `rackwright discover` finds them; two with one serial number: `serial-twice`."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.twin.faults.changes import set_machine
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware.state import State


def swap_machines(state: State, nodes: Sequence[str]) -> State:
    """Exchange the plates of two machines: cables, addresses and names stay with their slots."""
    first, second = nodes
    serials = {first: state.machines[second].serial, second: state.machines[first].serial}
    for node in nodes:
        state = set_machine(serial=serials[node])(state, [node])
    return state


FAULTS = (
    Fault(
        name="machine-missing",
        summary="The slot of a machine is empty",
        apply=set_machine(racked=False, power_state="Off"),
        racking=True,
    ),
    Fault(
        name="machine-unknown",
        summary="A machine that was not delivered for this site stands in the slot",
        apply=set_machine(serial="7Q4R2X1K9D"),
        racking=True,
    ),
    Fault(
        name="machines-swapped",
        summary="Two machines stand in each other's slot",
        apply=swap_machines,
        nodes=2,
        racking=True,
    ),
)
