"""A GPU was left in exclusive mode."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-compute-exclusive",
    summary="A GPU was left in exclusive mode",
    apply=on_health(3, compute_mode=3),
    checks=frozenset({"gpu.compute_mode"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
