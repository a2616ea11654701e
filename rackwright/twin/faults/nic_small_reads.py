"""An adapter reads memory in small pieces."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="nic-small-reads",
    summary="An adapter reads memory in small pieces",
    apply=on_board(nic_read_requests={"mlx5_0": 512}),
    checks=frozenset({"pcie.read_request"}),
    refused=False,
    names=frozenset({"0000:a0:00.0"}),
)
