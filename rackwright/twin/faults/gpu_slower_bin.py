"""The highest clock that a GPU allows is lower than that of its neighbours."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-slower-bin",
    summary="The highest clock that a GPU allows is lower than that of its neighbours",
    apply=on_health(6, clock_sm_mhz=1755),
    checks=frozenset({"gpu.clocks"}),
    names=frozenset({"GPU {gpu[6]}"}),
)
