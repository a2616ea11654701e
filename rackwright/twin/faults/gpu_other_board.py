"""A GPU sits on a board of another revision."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-other-board",
    summary="A GPU sits on a board of another revision",
    apply=on_health(6, part_number="692-2G520-0205-000"),
    checks=frozenset({"gpu.part_number"}),
    names=frozenset({"GPU {gpu[6]}"}),
    refused=False,
)
