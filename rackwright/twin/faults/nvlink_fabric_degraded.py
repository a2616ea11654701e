"""The NVLink fabric of a GPU reports lost bandwidth."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="nvlink-fabric-degraded",
    summary="The NVLink fabric of a GPU reports lost bandwidth",
    apply=on_health(0, fabric_degraded=True),
    checks=frozenset({"nvlink.fabric_health"}),
    names=frozenset({"GPU {gpu[0]}"}),
)
