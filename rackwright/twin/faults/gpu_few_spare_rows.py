"""A memory bank of a GPU has few spare rows left."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-few-spare-rows",
    summary="A memory bank of a GPU has few spare rows left",
    apply=on_health(7, spare_banks=(2557, 0, 0, 3, 0)),
    checks=frozenset({"gpu.spare_rows"}),
    names=frozenset({"GPU {gpu[7]}"}),
)
