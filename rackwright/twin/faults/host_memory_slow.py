"""Host memory runs too slowly for the copies of all GPUs."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="host-memory-slow",
    summary="Host memory runs too slowly for the copies of all GPUs",
    apply=harm.machine(host=0.75),
    checks=frozenset({"copy.host_to_device", "copy.device_to_host"}),
    names=frozenset({"GPU {gpu[0]}"}),
)
