"""A drive was replaced and not updated."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import drive

FAULT = Fault(
    name="drive-firmware-old",
    summary="A drive has another firmware than its peers",
    apply=drive(4, lambda one: replace(one, firmware="GDC5302Q")),
    checks=frozenset({"drives.firmware"}),
    names=frozenset({"{drive[4]}"}),
)
