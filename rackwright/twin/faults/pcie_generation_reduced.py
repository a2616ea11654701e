"""A GPU trained one PCIe generation below its own."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="pcie-generation-reduced",
    summary="A GPU trained one PCIe generation below its own",
    apply=on_gpu(4, lambda gpu: replace(gpu, pcie_generation=gpu.pcie_generation - 1)),
    checks=frozenset({"pcie.generation"}),
    names=frozenset({"GPU {gpu[4]}"}),
    needs="nvidia",
)
