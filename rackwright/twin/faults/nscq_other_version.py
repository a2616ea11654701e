"""The library of the NVSwitches is left over from another driver."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import moved

FAULT = Fault(
    name="nscq-other-version",
    summary="NSCQ is older than the driver",
    apply=moved("libnvidia-nscq", "580.126.20-1"),
    checks=frozenset({"software.driver_parts"}),
    names=frozenset({"libnvidia-nscq"}),
    needs="fabric-manager",
)
