"""A processor has reported an error that it could not correct."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="machine-check",
    summary="A processor has reported an error that it could not correct",
    apply=system(machine_checks=((12, 5, "bea0000000000108", False),)),
    checks=frozenset({"kernel.machine_checks"}),
    names=frozenset({"CPU 12 bank 5"}),
)
