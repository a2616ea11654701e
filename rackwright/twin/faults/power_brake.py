"""A GPU is held back by the power brake."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="power-brake",
    summary="A GPU is held back by the power brake",
    apply=on_gpu(7, lambda gpu: replace(gpu, throttle_reasons=("hw_power_brake_slowdown",))),
    checks=frozenset({"gpu.throttle"}),
    names=frozenset({"GPU {gpu[7]}"}),
)
