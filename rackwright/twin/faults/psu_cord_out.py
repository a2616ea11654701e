"""The cord of a power supply is not plugged in."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="psu-cord-out",
    summary="The cord of a power supply is out",
    apply=chassis(lost_inputs=(2,)),
    checks=frozenset({"bmc.psu_input"}),
    names=frozenset({"PSU 2"}),
    refused=False,
)
