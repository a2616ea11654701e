"""A GPU reaches a lower clock than its neighbours."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-slower-bin",
    summary="A GPU reaches a lower clock than its neighbours",
    apply=on_health(6, clock_sm_mhz=1755),
    checks=frozenset({"gpu.clocks"}),
    names=frozenset({"GPU {gpu[6]}"}),
)
