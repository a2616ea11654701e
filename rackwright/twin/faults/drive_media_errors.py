"""A drive has media errors."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import drive

FAULT = Fault(
    name="drive-media-errors",
    summary="A drive has lost data",
    apply=drive(2, lambda one: replace(one, media_errors=17)),
    checks=frozenset({"drives.health"}),
    names=frozenset({"{drive[2]}"}),
)
