"""A GPU holds a lower clock under load than its neighbours."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-slow-clock",
    summary="A GPU holds a lower clock under load than its neighbours",
    apply=harm.gpu(3, clock=0.85),
    checks=frozenset({"burn.gemm"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
