"""A GPU is slow in FP8 alone."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-fp8-slow",
    summary="A GPU is slow in FP8 alone",
    apply=harm.gpu(5, precisions={"fp8": 0.5}),
    checks=frozenset({"burn.gemm"}),
    names=frozenset({"GPU {gpu[5]}"}),
    needs="nvidia",
)
