"""The event log of the BMC has a critical entry."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis
from rackwright.twin.hardware.parts.chassis import LogLine

FAULT = Fault(
    name="sel-critical",
    summary="The event log of the BMC has a critical entry",
    apply=chassis(log=(LogLine("Critical", "Uncorrectable ECC error in P1_DIMM_B1"),)),
    checks=frozenset({"bmc.sel"}),
    names=frozenset({"P1_DIMM_B1"}),
)
