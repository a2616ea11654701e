"""DCGM was installed by hand at another version."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import moved

FAULT = Fault(
    name="dcgm-other-version",
    summary="DCGM is at another version than declared",
    apply=moved("datacenter-gpu-manager-4-core", "1:4.5.3-1"),
    checks=frozenset({"software.dcgm"}),
    names=frozenset({"4.5.3"}),
)
