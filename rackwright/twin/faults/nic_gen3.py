"""The adapter of a rail trained to PCIe generation 3."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="nic-gen3",
    summary="The adapter of a rail trained to PCIe generation 3",
    apply=on_board(nic_links={"mlx5_9": (3, 16)}),
    checks=frozenset({"pcie.adapter_link"}),
    names=frozenset({"0000:a5:00.0"}),
)
