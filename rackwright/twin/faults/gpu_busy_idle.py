"""A GPU draws much power without a program."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu
from rackwright.twin.hardware.state import Gpu


def _awake(gpu: Gpu) -> Gpu:
    return replace(gpu, health=replace(gpu.health, power_watts=gpu.power_limit_watts // 2))


FAULT = Fault(
    name="gpu-busy-idle",
    summary="A GPU draws much power without a program",
    apply=on_gpu(5, _awake),
    checks=frozenset({"gpu.power_idle"}),
    names=frozenset({"GPU {gpu[5]}"}),
)
