"""The array of the local drives was not assembled."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="scratch-not-mounted",
    summary="The local scratch is not mounted",
    apply=system(lost_mounts=("/local",)),
    checks=frozenset({"storage.mounted"}),
    names=frozenset({"/local"}),
)
