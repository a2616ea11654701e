"""The adapter of a rail trained to PCIe generation 3."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_adapter

FAULT = Fault(
    name="nic-gen3",
    summary="The adapter of a rail trained to PCIe generation 3",
    apply=on_adapter(5, nic_links=(3, 16)),
    checks=frozenset({"pcie.adapter_link"}),
    names=frozenset({"{slot[5]}"}),
)
