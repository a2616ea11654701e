"""A GPU computes the same product differently from time to time."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-miscomputes",
    summary="A GPU computes the same product differently from time to time",
    apply=harm.gpu(4, mismatches=12),
    checks=frozenset({"burn.errors"}),
    names=frozenset({"GPU {gpu[4]}"}),
)
