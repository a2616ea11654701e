"""A plane of NVSwitches is slow for all GPUs of a node."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="nvlink-plane-slow",
    summary="A plane of NVSwitches is slow for all GPUs of a node",
    apply=harm.machine(links=0.75),
    checks=frozenset({"collective.in_node"}),
    names=frozenset({"all_reduce"}),
    needs="nvlink",
)
