"""The time server tells another time than the node has."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="clock-falseticker",
    summary="The time server tells another time than the node has",
    apply=system(clock_falsetickers=1),
    checks=frozenset({"clock.sources"}),
    names=frozenset({": state x"}),
)
