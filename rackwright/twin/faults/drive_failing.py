"""A drive warns that it is about to fail."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import drive

FAULT = Fault(
    name="drive-failing",
    summary="A drive warns that it is about to fail",
    apply=drive(5, lambda one: replace(one, critical_warning=4)),
    checks=frozenset({"drives.health"}),
    names=frozenset({"{drive[5]}"}),
)
