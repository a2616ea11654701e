"""A memory module had an uncorrected error."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import slot

FAULT = Fault(
    name="dimm-uncorrectable",
    summary="A memory module had an error that it could not correct",
    apply=slot(0, lambda dimm: replace(dimm, uncorrected=1)),
    checks=frozenset({"memory.ecc"}),
    names=frozenset({"{dimm[0]}"}),
)
