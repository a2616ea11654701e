"""One NVLink runs at half of its rate."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="nvlink-slow",
    summary="One NVLink runs at half of its rate",
    apply=on_health(3, slow_links=(7,)),
    checks=frozenset({"nvlink.rate"}),
    names=frozenset({"NVLink 7"}),
)
