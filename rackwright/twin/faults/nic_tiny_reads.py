"""An adapter reads memory in the smallest pieces."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="nic-tiny-reads",
    summary="An adapter reads memory in the smallest pieces",
    apply=on_board(nic_read_requests={"mlx5_10": 128}),
    checks=frozenset({"pcie.read_request"}),
    names=frozenset({"0000:a6:00.0"}),
    refused=False,
)
