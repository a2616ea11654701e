"""The device plugin of Kubernetes offers one accelerator fewer than the node has."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system_of

FAULT = Fault(
    name="device-plugin-short",
    summary="The device plugin of Kubernetes offers one accelerator fewer than the node has",
    apply=system_of(lambda machine: {"kubelet_accelerators": len(machine.gpus) - 1}),
    checks=frozenset({"kubernetes.accelerators"}),
    names=frozenset({": {left[1]};"}),
    needs="kubernetes",
)
