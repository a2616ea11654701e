"""Faults of a node in Kubernetes."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_system, set_system_from
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="device-plugin-missing",
        summary="The device plugin of Kubernetes does not run",
        apply=set_system(kubelet_accelerators=0),
        checks={"kubernetes.accelerators"},
        names={": 0;"},
        needs="kubernetes",
    ),
    Fault(
        name="device-plugin-short",
        summary="The device plugin of Kubernetes offers one accelerator fewer than the node has",
        apply=set_system_from(lambda machine: {"kubelet_accelerators": len(machine.gpus) - 1}),
        checks={"kubernetes.accelerators"},
        names={": {left[1]};"},
        needs="kubernetes",
    ),
    Fault(
        name="kubelet-cpus-short",
        summary="Kubernetes can give away only half of the CPUs",
        apply=set_system_from(
            lambda machine: {"kubelet_cpus": machine.system.sockets * machine.system.cores_per_socket // 2}
        ),
        checks={"kubernetes.cpus"},
        names={"allocatable CPUs"},
        needs="kubernetes",
    ),
    Fault(
        name="kubelet-disk-pressure",
        summary="The kubelet says that it runs out of space",
        apply=set_system(kubelet_pressure=("DiskPressure",)),
        checks={"kubernetes.ready"},
        names={"DiskPressure"},
        needs="kubernetes",
    ),
    Fault(
        name="kubelet-not-ready",
        summary="The kubelet does not report to its cluster",
        apply=set_system(kubelet_ready=False),
        checks={"kubernetes.ready"},
        names={"Ready=False"},
        needs="kubernetes",
    ),
)
