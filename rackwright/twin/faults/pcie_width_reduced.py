"""A GPU runs on half of its PCIe lanes."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="pcie-width-reduced",
    summary="A GPU trained to half of its PCIe lanes",
    apply=on_gpu(1, lambda gpu: replace(gpu, pcie_width=gpu.pcie_width // 2)),
    checks=frozenset({"pcie.width"}),
    names=frozenset({"GPU {gpu[1]}"}),
)
