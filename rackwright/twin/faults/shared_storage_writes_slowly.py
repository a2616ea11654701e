"""A node writes the shared file system over a slow way."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="shared-storage-writes-slowly",
    summary="A node writes the shared file system over a slow way",
    apply=harm.machine(shared_write=0.3),
    checks=frozenset({"storage_speed.shared_throughput"}),
    names=frozenset({"writing /scratch"}),
)
