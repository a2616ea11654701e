"""The adapter of a rail trained to eight lanes."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_adapter

FAULT = Fault(
    name="nic-x8",
    summary="The adapter of a rail trained to eight lanes",
    apply=on_adapter(2, nic_links=(5, 8)),
    checks=frozenset({"pcie.adapter_link"}),
    names=frozenset({"{slot[2]}"}),
)
