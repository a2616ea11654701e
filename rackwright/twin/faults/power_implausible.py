"""The machine draws more than its circuit was planned for."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="power-implausible",
    summary="The machine draws more than planned",
    apply=chassis(power_watts=11_400.0),
    checks=frozenset({"bmc.power_draw"}),
    names=frozenset({"11400 W"}),
    refused=False,
)
