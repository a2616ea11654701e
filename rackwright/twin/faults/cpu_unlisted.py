"""The BMC counts only one processor."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="cpu-unlisted",
    summary="The BMC counts only one processor",
    apply=chassis(cpus_listed=1),
    checks=frozenset({"bmc.cpus"}),
    names=frozenset({"processors in the BMC's inventory: 1"}),
)
