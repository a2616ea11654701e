"""A GPU carries an older VBIOS than its neighbours."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="gpu-wrong-vbios",
    summary="A GPU carries an older VBIOS than its neighbours",
    apply=on_gpu(3, lambda gpu: replace(gpu, vbios="96.00.61.00.01")),
    checks=frozenset({"gpu.vbios"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
