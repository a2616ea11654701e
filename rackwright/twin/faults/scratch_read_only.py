"""The file system of the local drives went read-only."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="scratch-read-only",
    summary="The local scratch is read-only",
    apply=system(read_only_mounts=("/local",)),
    checks=frozenset({"storage.mounted"}),
    names=frozenset({"/local"}),
)
