"""The unit that mounts a file system has failed."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="unit-failed",
    summary="The unit that mounts a file system has failed",
    apply=system(failed_units=("mnt-scratch.mount",)),
    checks=frozenset({"host.failed_units"}),
    names=frozenset({"mnt-scratch.mount"}),
)
