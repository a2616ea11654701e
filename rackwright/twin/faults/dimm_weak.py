"""A memory module corrects thousands of errors."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import slot

FAULT = Fault(
    name="dimm-weak",
    summary="A memory module corrects many errors",
    apply=slot(20, lambda dimm: replace(dimm, corrected=4711)),
    checks=frozenset({"memory.ecc"}),
    names=frozenset({"{dimm[20]}"}),
)
