"""A GPU makes errors in gpu-burn."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="stress-errors",
    summary="A GPU makes errors in gpu-burn",
    apply=harm.gpu(1, stress_errors=17),
    checks=frozenset({"burn.stress"}),
    names=frozenset({"GPU {gpu[1]}"}),
    refused=False,
)
