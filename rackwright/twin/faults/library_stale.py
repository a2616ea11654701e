"""A library of another driver release lies among those of the driver."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="library-stale",
    summary="A library of another driver release lies among those of the driver",
    apply=system(stale_libraries=("libcuda.so",)),
    checks=frozenset({"software.libraries"}),
    names=frozenset({"580.126.20"}),
)
