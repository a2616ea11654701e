"""A GPU has lost a stack of its memory."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="gpu-memory-less",
    summary="A GPU has lost a stack of its memory",
    apply=on_gpu(2, lambda gpu: replace(gpu, memory_bytes=gpu.memory_bytes * 4 // 5)),
    checks=frozenset({"gpu.memory"}),
    names=frozenset({"GPU {gpu[2]}"}),
)
