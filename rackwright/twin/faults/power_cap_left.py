"""A cap of 5 kW was left behind from a test."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="power-cap-left",
    summary="A power cap was left behind",
    apply=chassis(power_limit_watts=5_000.0),
    checks=frozenset({"bmc.power_cap"}),
    names=frozenset({"5000 W"}),
)
