"""The InfoROM of a GPU is corrupted."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-inforom-corrupted",
    summary="The InfoROM of a GPU is corrupted",
    apply=on_health(2, inforom_valid=False),
    checks=frozenset({"gpu.inforom"}),
    names=frozenset({"GPU {gpu[2]}"}),
)
