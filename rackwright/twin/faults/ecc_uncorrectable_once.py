"""A GPU has seen an uncorrectable memory error long ago."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="ecc-uncorrectable-once",
    summary="A GPU has seen an uncorrectable memory error long ago",
    apply=on_gpu(6, lambda gpu: replace(gpu, ecc_uncorrected_aggregate=2)),
    checks=frozenset({"gpu.ecc_uncorrected"}),
    names=frozenset({"GPU {gpu[6]}"}),
)
