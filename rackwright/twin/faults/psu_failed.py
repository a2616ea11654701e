"""A power supply has failed."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="psu-failed",
    summary="A power supply has failed",
    apply=on_machines(lambda machine: replace(machine, psus_ok=machine.psus_ok - 1)),
    checks=frozenset({"bmc.psus"}),
)
