"""A drive of half the capacity was fitted at a repair."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import drive

FAULT = Fault(
    name="drive-wrong-size",
    summary="A data drive is too small",
    apply=drive(0, lambda one: replace(one, terabytes=1.92)),
    checks=frozenset({"drives.count"}),
    names=frozenset({"{drives[1]} of"}),
)
