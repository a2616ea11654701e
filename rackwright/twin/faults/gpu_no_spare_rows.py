"""A memory bank of a GPU has no spare rows left."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-no-spare-rows",
    summary="A memory bank of a GPU has no spare rows left",
    apply=on_health(3, spare_banks=(2558, 0, 0, 1, 1)),
    checks=frozenset({"gpu.spare_rows"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
