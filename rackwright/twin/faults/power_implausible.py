"""The machine draws more power than its design allows."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="power-implausible",
    summary="The machine draws more power than its design allows",
    apply=chassis(power_watts=11_400.0),
    checks=frozenset({"bmc.power_draw"}),
    names=frozenset({"11400 W"}),
    refused=False,
)
