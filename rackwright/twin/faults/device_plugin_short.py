"""The device plugin holds one accelerator for unhealthy."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="device-plugin-short",
    summary="The device plugin offers seven of eight accelerators",
    apply=system(kubelet_accelerators=7),
    checks=frozenset({"kubernetes.accelerators"}),
    names=frozenset({"7"}),
    needs="kubernetes",
)
