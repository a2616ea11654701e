"""An adapter is not on the bus."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import without_adapter

FAULT = Fault(
    name="nic-missing",
    summary="An adapter is not on the bus",
    apply=without_adapter(4),
    checks=frozenset({"pcie.adapters"}),
    names=frozenset({"{rest[0]} {adapter[0]}"}),
)
