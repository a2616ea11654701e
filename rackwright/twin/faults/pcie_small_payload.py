"""A GPU uses small PCIe packets."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="pcie-small-payload",
    summary="A GPU uses small PCIe packets",
    apply=on_health(5, max_payload=128),
    checks=frozenset({"pcie.max_payload"}),
    names=frozenset({"{bus[5]}.0"}),
)
