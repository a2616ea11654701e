"""The container library sees one accelerator fewer than the driver."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="container-short",
    summary="Containers get one accelerator fewer",
    apply=system(container_sees=7),
    checks=frozenset({"software.container"}),
    names=frozenset({"7 accelerators"}),
)
