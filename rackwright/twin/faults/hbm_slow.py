"""The memory of a GPU is a fifth slower."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="hbm-slow",
    summary="The memory of a GPU is a fifth slower",
    apply=harm.gpu(2, memory=0.8),
    checks=frozenset({"hbm.bandwidth"}),
    names=frozenset({"GPU {gpu[2]}"}),
)
