"""A GPU trained to eight lanes."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="pcie-x8",
    summary="A GPU trained to eight lanes",
    apply=on_gpu(1, lambda gpu: replace(gpu, pcie_width=8)),
    checks=frozenset({"pcie.width"}),
    names=frozenset({"GPU 1"}),
)
