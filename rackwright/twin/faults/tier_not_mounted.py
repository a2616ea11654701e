"""The client of a storage tier did not reach its servers."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="tier-not-mounted",
    summary="A storage tier is not mounted",
    apply=system(lost_mounts=("/scratch",)),
    checks=frozenset({"storage.tiers"}),
    names=frozenset({"/scratch"}),
    needs="storage",
)
