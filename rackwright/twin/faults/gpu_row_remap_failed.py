"""A GPU has failed to remap a row of its memory."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="gpu-row-remap-failed",
    summary="A GPU has failed to remap a row of its memory",
    apply=on_gpu(4, lambda gpu: replace(gpu, row_remap_failed=True)),
    checks=frozenset({"gpu.row_remap"}),
    names=frozenset({"GPU {gpu[4]}"}),
)
