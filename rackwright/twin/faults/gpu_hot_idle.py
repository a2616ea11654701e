"""A GPU draws much power without a program."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-hot-idle",
    summary="A GPU draws much power without a program",
    apply=on_health(5, power_watts=318),
    checks=frozenset({"gpu.power_idle"}),
    names=frozenset({"GPU {gpu[5]}"}),
)
