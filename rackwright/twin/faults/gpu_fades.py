"""A GPU becomes slower minute by minute and gives no reason."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-fades",
    summary="A GPU becomes slower minute by minute and gives no reason",
    apply=harm.gpu(1, fall=0.15),
    checks=frozenset({"burn.steady"}),
    names=frozenset({"GPU {gpu[1]}"}),
)
