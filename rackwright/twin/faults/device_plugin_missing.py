"""The device plugin of Kubernetes does not run."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="device-plugin-missing",
    summary="The device plugin of Kubernetes does not run",
    apply=system(kubelet_accelerators=0),
    checks=frozenset({"kubernetes.accelerators"}),
    names=frozenset({": 0;"}),
    needs="kubernetes",
)
