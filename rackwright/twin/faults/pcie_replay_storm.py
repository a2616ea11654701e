"""The host link of a GPU repeats packets."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="pcie-replay-storm",
    summary="The host link of a GPU repeats packets",
    apply=on_gpu(5, lambda gpu: replace(gpu, pcie_replays=90_412)),
    checks=frozenset({"pcie.replays"}),
    names=frozenset({"GPU {gpu[5]}"}),
)
