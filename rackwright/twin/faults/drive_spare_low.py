"""A drive has fewer spare blocks than its own threshold."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import drive

FAULT = Fault(
    name="drive-spare-low",
    summary="A drive runs out of spare blocks",
    apply=drive(1, lambda one: replace(one, available_spare=6)),
    checks=frozenset({"drives.wear"}),
    names=frozenset({"{drive[1]}"}),
)
