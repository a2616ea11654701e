"""The heat sink of a GPU sits badly."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="gpu-warmer",
    summary="The heat sink of a GPU sits badly",
    apply=on_gpu(6, lambda gpu: replace(gpu, temperature_celsius=56)),
    checks=frozenset({"gpu.temperature_spread"}),
    names=frozenset({"GPU {gpu[6]}"}),
    refused=False,
)
