"""The temperature at which a GPU slows down is far too low."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-threshold-lowered",
    summary="The temperature at which a GPU slows down is far too low",
    apply=on_health(4, margin_celsius=9),
    checks=frozenset({"gpu.temperature_margin"}),
    names=frozenset({"GPU {gpu[4]}"}),
)
