"""Someone lowered the power limit of a GPU."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="gpu-power-capped",
    summary="Someone lowered the power limit of a GPU",
    apply=on_gpu(3, lambda gpu: replace(gpu, power_limit_watts=gpu.power_limit_watts * 5 // 7)),
    checks=frozenset({"gpu.power_limit"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
