"""The NVLinks of a GPU count CRC errors."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="nvlink-errors",
    summary="The NVLinks of a GPU count CRC errors",
    apply=on_gpu(6, lambda gpu: replace(gpu, nvlink_crc_errors=4217)),
    checks=frozenset({"nvlink.errors"}),
    names=frozenset({"GPU {gpu[6]}"}),
)
