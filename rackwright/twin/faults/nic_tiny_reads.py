"""An adapter reads memory in the smallest pieces."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_adapter

FAULT = Fault(
    name="nic-tiny-reads",
    summary="An adapter reads memory in the smallest pieces",
    apply=on_adapter(6, nic_read_requests=128),
    checks=frozenset({"pcie.read_request"}),
    names=frozenset({"{slot[6]}"}),
    refused=False,
)
