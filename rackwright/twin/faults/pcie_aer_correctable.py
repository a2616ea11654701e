"""A PCIe port corrects errors all the time."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="pcie-aer-correctable",
    summary="A PCIe port corrects errors all the time",
    apply=on_board(bus_errors=(("0000:4d:00.0", "correctable", 412),)),
    checks=frozenset({"pcie.aer"}),
    names=frozenset({"0000:4d:00.0"}),
)
