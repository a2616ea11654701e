"""Copies from one GPU are slow although its link has all lanes."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="copy-from-gpu-slow",
    summary="Copies from one GPU are slow although its link has all lanes",
    apply=harm.gpu(4, host_read=0.6),
    checks=frozenset({"copy.device_to_host"}),
    names=frozenset({"GPU {gpu[4]}"}),
)
