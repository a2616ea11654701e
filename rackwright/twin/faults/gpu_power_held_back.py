"""A GPU does not draw the power that it was bought with."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-power-held-back",
    summary="A GPU does not draw the power that it was bought with",
    apply=harm.gpu(2, power=0.7, clock=0.97),
    checks=frozenset({"burn.power_reached"}),
    names=frozenset({"GPU {gpu[2]}"}),
)
