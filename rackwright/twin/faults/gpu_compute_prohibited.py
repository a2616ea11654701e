"""A GPU was left in the mode that refuses programs."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-compute-prohibited",
    summary="A GPU was left in the mode that refuses programs",
    apply=on_health(0, compute_mode=2),
    checks=frozenset({"gpu.compute_mode"}),
    names=frozenset({"GPU {gpu[0]}"}),
)
