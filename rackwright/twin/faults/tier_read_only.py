"""A storage tier was mounted without the right to write."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="tier-read-only",
    summary="A storage tier is mounted read-only",
    apply=system(read_only_mounts=("/scratch",)),
    checks=frozenset({"storage.tiers"}),
    names=frozenset({"/scratch"}),
    needs="storage",
)
