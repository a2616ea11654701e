"""The vendor's own tool raises an alarm for an accelerator."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="accelerator-alarm",
    summary="The vendor's own tool raises an alarm for an accelerator",
    apply=on_gpu(4, lambda gpu: replace(gpu, ecc_uncorrected_volatile=1)),
    checks=frozenset({"gpu.health"}),
    names=frozenset({"GPU {gpu[4]}"}),
)
