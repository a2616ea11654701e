"""Faults of accelerators whose own tool reports less than NVML does."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults.changes import change_gpu, set_gpu
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="accelerator-alarm",
        summary="The vendor's own tool raises an alarm for an accelerator",
        apply=set_gpu(4, ecc_uncorrected_volatile=1),
        checks={"gpu.health"},
        names={"GPU {gpu[4]}"},
    ),
    Fault(
        name="accelerator-link-narrow",
        summary="An accelerator whose tool tells nothing of its host link trained to eight lanes",
        apply=set_gpu(1, pcie_width=8),
        checks={"pcie.accelerator_width"},
        names={"{bus[1]}.0"},
    ),
    Fault(
        name="scale-up-link-down",
        summary="A link of an accelerator to its neighbours is down",
        apply=change_gpu(2, lambda gpu: replace(gpu, nvlinks=(*[True] * (gpu.scale_up_links - 1), False))),
        checks={"gpu.scale_up_links"},
        names={"GPU {gpu[2]}"},
    ),
)
