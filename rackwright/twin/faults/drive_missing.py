"""A data drive has fallen off its link."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import drive

FAULT = Fault(
    name="drive-missing",
    summary="A data drive is missing",
    apply=drive(3, lambda one: replace(one, present=False)),
    checks=frozenset({"drives.count"}),
    names=frozenset({"{drives[1]} of"}),
)
