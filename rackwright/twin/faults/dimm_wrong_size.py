"""A module of 32 GiB was fitted at a repair."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import slot

FAULT = Fault(
    name="dimm-wrong-size",
    summary="A memory module of another size was fitted",
    apply=slot(8, lambda dimm: replace(dimm, gib=32)),
    checks=frozenset({"memory.dimms"}),
    names=frozenset({"{dimm[8]}"}),
)
