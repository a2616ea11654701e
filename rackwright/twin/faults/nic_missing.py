"""An adapter is not on the bus."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="nic-missing",
    summary="An adapter is not on the bus",
    apply=on_board(nics_missing=("mlx5_6",)),
    checks=frozenset({"pcie.adapters"}),
    also=frozenset({"pcie.topology"}),
    names=frozenset({"11 ConnectX-7"}),
)
