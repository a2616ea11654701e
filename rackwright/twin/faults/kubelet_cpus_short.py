"""Kubernetes can give away only half of the CPUs."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system_of

FAULT = Fault(
    name="kubelet-cpus-short",
    summary="Kubernetes can give away only half of the CPUs",
    apply=system_of(lambda machine: {"kubelet_cpus": machine.system.sockets * machine.system.cores_per_socket // 2}),
    checks=frozenset({"kubernetes.cpus"}),
    names=frozenset({"allocatable CPUs"}),
    needs="kubernetes",
)
