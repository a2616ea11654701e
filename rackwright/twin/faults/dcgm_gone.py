"""Somebody removed DCGM."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="dcgm-gone",
    summary="DCGM is not installed",
    apply=system(packages_gone=("datacenter-gpu-manager-4-core", "datacenter-gpu-manager-4-cuda13")),
    checks=frozenset({"software.dcgm"}),
    names=frozenset({"not installed"}),
)
