"""A drive trains with half its lanes: a contact of its connector is dirty."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import drive

FAULT = Fault(
    name="drive-narrow",
    summary="A drive trains with half its lanes",
    apply=drive(3, lambda one: replace(one, width=2)),
    checks=frozenset({"drives.link"}),
    names=frozenset({"{drive[3]}"}),
)
