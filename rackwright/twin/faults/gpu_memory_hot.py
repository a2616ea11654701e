"""The memory of a GPU is hot."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-memory-hot",
    summary="The memory of a GPU is hot",
    apply=on_health(2, memory_celsius=88),
    checks=frozenset({"gpu.temperature_memory"}),
    names=frozenset({"GPU {gpu[2]}"}),
)
