"""A GPU slows down because it is too hot."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="thermal-throttle",
    summary="A GPU slows down because it is too hot",
    apply=on_gpu(0, lambda gpu: replace(gpu, temperature_celsius=91, throttle_reasons=("hw_thermal_slowdown",))),
    checks=frozenset({"gpu.throttle"}),
    names=frozenset({"GPU {gpu[0]}"}),
)
