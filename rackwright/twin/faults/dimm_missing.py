"""A memory module was mapped out by the firmware."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import slot

FAULT = Fault(
    name="dimm-missing",
    summary="A memory module is missing",
    apply=slot(3, lambda dimm: replace(dimm, gib=0)),
    checks=frozenset({"bmc.memory", "memory.dimms"}),
    names=frozenset({"1984", "{dimm[3]}"}),
)
