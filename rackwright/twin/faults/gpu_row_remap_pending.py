"""A GPU has a row remap pending and needs a reset."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="gpu-row-remap-pending",
    summary="A GPU has a row remap pending and needs a reset",
    apply=on_gpu(3, lambda gpu: replace(gpu, row_remap_pending=True)),
    checks=frozenset({"gpu.row_remap"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
