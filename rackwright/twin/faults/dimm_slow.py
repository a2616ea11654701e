"""A memory module runs at 4,400 of 4,800 MT/s."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import slot

FAULT = Fault(
    name="dimm-slow",
    summary="A memory module runs below its rating",
    apply=slot(23, lambda dimm: replace(dimm, running_mts=4400)),
    checks=frozenset({"memory.speed"}),
    names=frozenset({"{dimm[23]}"}),
)
