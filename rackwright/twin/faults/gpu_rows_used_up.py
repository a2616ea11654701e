"""A GPU has remapped more rows than a part may."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-rows-used-up",
    summary="A GPU has remapped more rows than a part may",
    apply=on_health(5, remapped_rows=601),
    checks=frozenset({"gpu.row_remap"}),
    names=frozenset({"GPU {gpu[5]}"}),
)
