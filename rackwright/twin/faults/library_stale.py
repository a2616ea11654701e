"""A library of an earlier driver was left behind."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="library-stale",
    summary="A library of another driver lies beside",
    apply=system(stale_libraries=("libcuda.so",)),
    checks=frozenset({"software.libraries"}),
    names=frozenset({"580.126.20"}),
)
