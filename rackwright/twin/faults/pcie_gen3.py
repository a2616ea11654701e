"""A GPU trained to PCIe generation 3."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="pcie-gen3",
    summary="A GPU trained to PCIe generation 3",
    apply=on_gpu(2, lambda gpu: replace(gpu, pcie_generation=3)),
    checks=frozenset({"pcie.generation"}),
    names=frozenset({"GPU {gpu[2]}"}),
    needs="nvidia",
)
