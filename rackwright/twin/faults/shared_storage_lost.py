"""The shared file system is not mounted on a node."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="shared-storage-lost",
    summary="The shared file system is not mounted on a node",
    apply=harm.machine(shared_lost=True),
    checks=frozenset({"storage_speed.shared_throughput"}),
    names=frozenset({"no shared file system is mounted"}),
    unread=True,
    masks=frozenset({"storage_speed.metadata", "storage_speed.shared_throughput", "storage_speed.visibility"}),
)
