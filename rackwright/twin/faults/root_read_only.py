"""The root file system went read-only after an error."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="root-read-only",
    summary="The system drive is read-only",
    apply=system(read_only_mounts=("/",)),
    checks=frozenset({"host.disk_space"}),
    names=frozenset({"read-only"}),
)
