"""Valves behind a CDU are closed."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import cdu

FAULT = Fault(
    name="cdu-blocked",
    summary="Valves behind a CDU are closed",
    apply=cdu(0, flow_share=0.5, pressure_share=1.6),
    checks=frozenset({"cooling.flow", "cooling.pressure"}),
    names=frozenset({"Coolant:"}),
    elsewhere=frozenset({"cooling.*"}),
    refused=False,
)
