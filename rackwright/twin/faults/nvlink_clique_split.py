"""A GPU is in another clique of its NVLink domain."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="nvlink-clique-split",
    summary="A GPU is in another clique of its NVLink domain",
    apply=on_health(7, clique=2),
    checks=frozenset({"nvlink.domain"}),
    names=frozenset({"GPU {gpu[7]}"}),
)
