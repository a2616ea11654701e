"""A drive trains at an older generation: a contact of its connector is dirty."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import drive

FAULT = Fault(
    name="drive-slow-link",
    summary="A drive trains at an older generation",
    apply=drive(3, lambda one: replace(one, generation=3)),
    checks=frozenset({"drives.link"}),
    names=frozenset({"{drive[3]}"}),
)
