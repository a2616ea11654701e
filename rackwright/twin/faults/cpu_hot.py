"""The cooler of the processors is not seated."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="cpu-hot",
    summary="A processor is too hot",
    apply=chassis(cpu_celsius=104.0),
    checks=frozenset({"bmc.sensors"}),
    names=frozenset({"TEMP_CPU0"}),
)
