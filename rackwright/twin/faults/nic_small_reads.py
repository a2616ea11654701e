"""An adapter reads memory in small pieces."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_adapter

FAULT = Fault(
    name="nic-small-reads",
    summary="An adapter reads memory in small pieces",
    apply=on_adapter(0, nic_read_requests=512),
    checks=frozenset({"pcie.read_request"}),
    refused=False,
    names=frozenset({"{slot[0]}"}),
)
