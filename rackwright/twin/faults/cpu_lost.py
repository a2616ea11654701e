"""The firmware took one of two processors out."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="cpu-lost",
    summary="One of two processors is gone",
    apply=system(sockets=1),
    checks=frozenset({"cpu.sockets"}),
    names=frozenset({"sockets: 1"}),
)
