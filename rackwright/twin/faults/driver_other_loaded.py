"""The node was not rebooted after its driver was changed."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="driver-other-loaded",
    summary="Another release of the driver is loaded",
    apply=system(driver="580.126.20"),
    checks=frozenset({"software.driver"}),
    names=frozenset({"580.126.20"}),
)
