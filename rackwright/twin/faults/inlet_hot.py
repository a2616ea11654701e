"""Air goes in a circle: the machine draws in its own exhaust."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="inlet-hot",
    summary="The machine draws in hot air",
    apply=chassis(inlet_celsius=48.0),
    checks=frozenset({"bmc.inlet_temperature"}),
    names=frozenset({"TEMP_INLET"}),
)
