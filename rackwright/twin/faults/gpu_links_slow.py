"""The NVLinks of one GPU retransmit so much that it is slow to all others."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="gpu-links-slow",
    summary="The NVLinks of one GPU retransmit so much that it is slow to all others",
    apply=harm.gpu(2, links=0.6),
    checks=frozenset({"copy.device_to_device"}),
    names=frozenset({"GPU {gpu[2]}"}),
)
