"""A drive fails requests."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="drive-io-errors",
    summary="A drive fails requests",
    apply=system(kernel_events=(("io_error", "I/O error, dev nvme3n1, sector 454953800 op 0x0:(READ) flags 0x80700"),)),
    checks=frozenset({"kernel.io_errors"}),
    names=frozenset({"nvme3n1"}),
)
