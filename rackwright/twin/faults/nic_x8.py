"""The adapter of a rail trained to eight lanes."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="nic-x8",
    summary="The adapter of a rail trained to eight lanes",
    apply=on_board(nic_links={"mlx5_4": (5, 8)}),
    checks=frozenset({"pcie.adapter_link"}),
    names=frozenset({"0000:a2:00.0"}),
)
