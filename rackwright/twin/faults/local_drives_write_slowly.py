"""A node's own drives write at half of their rate."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="local-drives-write-slowly",
    summary="A node's own drives write at half of their rate",
    apply=harm.machine(local_write=0.5),
    checks=frozenset({"storage_speed.local_write"}),
    names=frozenset({"/local"}),
)
