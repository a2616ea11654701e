"""Jobs get one GPU fewer than the driver shows."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-hidden-from-jobs",
    summary="Jobs get one GPU fewer than the driver shows",
    apply=harm.machine(hidden=(3,)),
    checks=frozenset({"collective.ranks"}),
    names=frozenset({"GPU {gpu[3]}"}),
    masks=frozenset({"collective.in_node"}),
)
