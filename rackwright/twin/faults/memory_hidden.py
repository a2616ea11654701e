"""The kernel was told to leave 256 GiB alone."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="memory-hidden",
    summary="The kernel lacks memory that is fitted",
    apply=system(memory_lost_gib=256),
    checks=frozenset({"memory.total"}),
    names=frozenset({"GiB"}),
)
