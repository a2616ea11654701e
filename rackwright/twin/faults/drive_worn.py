"""A drive has used up its rated life."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import drive

FAULT = Fault(
    name="drive-worn",
    summary="A drive is worn out",
    apply=drive(6, lambda one: replace(one, percentage_used=104)),
    checks=frozenset({"drives.wear"}),
    names=frozenset({"{drive[6]}"}),
)
