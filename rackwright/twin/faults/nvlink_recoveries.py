"""One NVLink trains anew again and again."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="nvlink-recoveries",
    summary="One NVLink trains anew again and again",
    apply=on_health(2, link_recoveries=(0, 0, 0, 0, 6)),
    checks=frozenset({"nvlink.recoveries"}),
    names=frozenset({"NVLink 4"}),
)
