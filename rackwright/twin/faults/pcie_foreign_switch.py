"""The adapter of a rail sits below another PCIe switch than its GPU."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="pcie-foreign-switch",
    summary="The adapter of a rail sits below another PCIe switch than its GPU",
    apply=on_health(2, foreign_switch=True),
    checks=frozenset({"pcie.topology"}),
    names=frozenset({"{bus[2]}.0"}),
)
