"""Copies to one GPU are slow although its link has all lanes."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="copy-to-gpu-slow",
    summary="Copies to one GPU are slow although its link has all lanes",
    apply=harm.gpu(5, host_write=0.6),
    checks=frozenset({"copy.host_to_device"}),
    names=frozenset({"GPU {gpu[5]}"}),
)
