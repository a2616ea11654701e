"""A node makes files slowly on the shared file system."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="shared-metadata-slow",
    summary="A node makes files slowly on the shared file system",
    apply=harm.machine(metadata=0.2),
    checks=frozenset({"storage_speed.metadata"}),
    names=frozenset({"/scratch"}),
)
