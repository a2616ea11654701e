"""A node's own drives do few small reads."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="local-drives-few-operations",
    summary="A node's own drives do few small reads",
    apply=harm.machine(local_operations=0.4),
    checks=frozenset({"storage_speed.local_operations"}),
    names=frozenset({"/local"}),
)
