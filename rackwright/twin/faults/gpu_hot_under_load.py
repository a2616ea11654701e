"""A GPU gets too hot while it works, and slows down."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-hot-under-load",
    summary="A GPU gets too hot while it works, and slows down",
    apply=harm.gpu(6, fall=0.2, heat_celsius=22, reasons=("hw_thermal_slowdown",)),
    checks=frozenset({"burn.throttle"}),
    names=frozenset({"GPU {gpu[6]}"}),
)
