"""The event log of the BMC has a warning."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis
from rackwright.twin.hardware.parts.chassis import LogLine

FAULT = Fault(
    name="sel-warning",
    summary="The event log of the BMC has a warning",
    apply=chassis(log=(LogLine("Warning", "Fan 3 below its lower caution threshold"),)),
    checks=frozenset({"bmc.sel"}),
    names=frozenset({"Fan 3"}),
    refused=False,
)
