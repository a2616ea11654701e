"""A GPU has taken dozens of bad pages of its memory out of use."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-pages-retired",
    summary="A GPU has taken dozens of bad pages of its memory out of use",
    apply=on_health(3, retired_pages=75),
    checks=frozenset({"gpu.retired_pages"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
