"""A GPU is hot although nothing runs on it."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="gpu-hot",
    summary="A GPU is hot although nothing runs on it",
    apply=on_gpu(3, lambda gpu: replace(gpu, temperature_celsius=72)),
    checks=frozenset({"gpu.temperature"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
