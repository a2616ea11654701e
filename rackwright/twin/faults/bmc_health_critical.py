"""The BMC reports critical health."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="bmc-health-critical",
    summary="The BMC reports critical health",
    apply=on_machines(lambda machine: replace(machine, health="Critical")),
    checks=frozenset({"bmc.health"}),
)
