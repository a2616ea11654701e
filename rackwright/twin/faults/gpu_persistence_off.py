"""Persistence mode of a GPU is off."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-persistence-off",
    summary="Persistence mode of a GPU is off",
    apply=on_health(2, persistence=False),
    checks=frozenset({"gpu.persistence_mode"}),
    names=frozenset({"GPU {gpu[2]}"}),
)
