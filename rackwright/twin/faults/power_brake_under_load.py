"""The power brake holds all GPUs of a node back while they work."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="power-brake-under-load",
    summary="The power brake holds all GPUs of a node back while they work",
    apply=harm.every_gpu(clock=0.6, power=0.6, reasons=("hw_power_brake_slowdown",)),
    checks=frozenset({"burn.throttle"}),
    names=frozenset({"hw_power_brake_slowdown"}),
)
