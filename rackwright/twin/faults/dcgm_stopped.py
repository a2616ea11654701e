"""The host engine of DCGM ended with an error."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="dcgm-stopped",
    summary="The host engine of DCGM has failed",
    apply=system(stopped_services=("nvidia-dcgm",)),
    checks=frozenset({"host.failed_units", "host.services"}),
    names=frozenset({"nvidia-dcgm"}),
    needs="nvidia",
)
