"""A node's own drives read at half of their rate."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="local-drives-read-slowly",
    summary="A node's own drives read at half of their rate",
    apply=harm.machine(local_read=0.5),
    checks=frozenset({"storage_speed.local_read"}),
    names=frozenset({"/local"}),
)
