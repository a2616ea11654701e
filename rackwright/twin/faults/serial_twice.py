"""Two machines show the serial number that their boards left the factory with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.state import State

SERIAL = "0123456789"


def apply(state: State, nodes: Sequence[str]) -> State:
    """All of `nodes` show one number, which was never written anew on their boards."""
    for node in nodes:
        state = state.with_machine(node, lambda machine: replace(machine, serial=SERIAL))
    return state


FAULT = Fault(
    name="serial-twice",
    summary="Two machines have one serial number",
    apply=apply,
    checks=frozenset({"bmc.serial"}),
    names=frozenset({"has as well"}),
    nodes=2,
)
