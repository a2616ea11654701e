"""An accelerator whose tool tells nothing of its host link trained to eight lanes."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="accelerator-link-narrow",
    summary="An accelerator whose tool tells nothing of its host link trained to eight lanes",
    apply=on_gpu(1, lambda gpu: replace(gpu, pcie_width=8)),
    checks=frozenset({"pcie.accelerator_width"}),
    names=frozenset({"{bus[1]}.0"}),
)
