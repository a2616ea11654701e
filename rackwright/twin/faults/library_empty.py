"""A power loss left a library of the driver without content."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="library-empty",
    summary="A library of the driver is empty",
    apply=system(empty_libraries=("libnvidia-ptxjitcompiler.so",)),
    checks=frozenset({"software.libraries"}),
    names=frozenset({"libnvidia-ptxjitcompiler"}),
)
