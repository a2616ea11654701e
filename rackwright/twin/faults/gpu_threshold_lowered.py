"""A GPU slows down far too early."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-threshold-lowered",
    summary="A GPU slows down far too early",
    apply=on_health(4, margin_celsius=9),
    checks=frozenset({"gpu.temperature_margin"}),
    names=frozenset({"GPU {gpu[4]}"}),
)
