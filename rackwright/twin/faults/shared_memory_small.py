"""Shared memory (/dev/shm) is limited to 64 MiB."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="shared-memory-small",
    summary="Shared memory (/dev/shm) is limited to 64 MiB",
    apply=system(shm_bytes=64 * 2**20),
    checks=frozenset({"host.shared_memory"}),
    names=frozenset({"0.1 GiB"}),
)
