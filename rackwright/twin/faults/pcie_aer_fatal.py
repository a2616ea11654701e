"""A PCIe port has seen a fatal error."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="pcie-aer-fatal",
    summary="A PCIe port has seen a fatal error",
    apply=on_board(bus_errors=(("0000:a3:00.0", "fatal", 1),)),
    checks=frozenset({"pcie.aer"}),
    names=frozenset({"{slot[3]}"}),
)
