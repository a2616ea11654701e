"""A GPU has seen a fatal error of its host link."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="pcie-fatal-status",
    summary="A GPU has seen a fatal error of its host link",
    apply=on_health(6, fatal_bus_error=True),
    checks=frozenset({"pcie.device_errors"}),
    names=frozenset({"{bus[6]}.0"}),
)
