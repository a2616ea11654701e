"""Collectives of a node give wrong results."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="collective-wrong",
    summary="Collectives of a node give wrong results",
    apply=harm.machine(wrong_elements=9),
    checks=frozenset({"collective.wrong"}),
    names=frozenset({"all_reduce"}),
)
