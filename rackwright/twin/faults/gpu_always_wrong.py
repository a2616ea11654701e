"""A GPU computes the same wrong product every time."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-always-wrong",
    summary="A GPU computes the same wrong product every time",
    apply=harm.gpu(7, wrong_always=True),
    checks=frozenset({"burn.agreement"}),
    names=frozenset({"GPU {gpu[7]}"}),
)
