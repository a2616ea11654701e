"""A program of an earlier job still runs on a GPU."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-leftover-process",
    summary="A program of an earlier job still runs on a GPU",
    apply=on_health(5, processes=((48213, "python3"),)),
    checks=frozenset({"gpu.processes"}),
    names=frozenset({"GPU {gpu[5]}"}),
    refused=False,
)
