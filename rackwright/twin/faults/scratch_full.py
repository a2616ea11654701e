"""Data of earlier jobs fills the local drives."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="scratch-full",
    summary="The local scratch is full",
    apply=system(full_mounts=("/local",)),
    checks=frozenset({"storage.space"}),
    names=frozenset({"/local"}),
)
