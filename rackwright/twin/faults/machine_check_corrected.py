"""A bank of a processor corrects errors all the time."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="machine-check-corrected",
    summary="A bank of a processor corrects errors all the time",
    apply=system(machine_checks=((0, 7, "8c00004000010091", True),) * 40),
    checks=frozenset({"kernel.machine_checks"}),
    names=frozenset({"CPU 0 bank 7"}),
)
