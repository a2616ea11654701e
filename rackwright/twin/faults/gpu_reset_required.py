"""The driver asks for a reset of a GPU."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-reset-required",
    summary="The driver asks for a reset of a GPU",
    apply=on_health(6, recovery_action=1),
    checks=frozenset({"gpu.recovery_action"}),
    names=frozenset({"GPU {gpu[6]}"}),
)
