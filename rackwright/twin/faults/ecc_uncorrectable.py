"""A GPU has counted uncorrectable memory errors."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="ecc-uncorrectable",
    summary="A GPU has counted uncorrectable memory errors",
    apply=on_gpu(7, lambda gpu: replace(gpu, ecc_uncorrected_volatile=2, ecc_uncorrected_aggregate=2)),
    checks=frozenset({"gpu.ecc_uncorrected"}),
    names=frozenset({"GPU {gpu[7]}"}),
)
