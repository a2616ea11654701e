"""Faults of the accelerator driver, its kernel module and its libraries."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_machine, set_system, set_system_from
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware import ids

DRIVER_PACKAGES = ("nvidia-open", "nvidia-driver", "nvidia-driver-cuda", "nvidia-kernel-open-dkms")

FAULTS = (
    Fault(
        name="container-short",
        summary="Containers get one accelerator fewer than the node has",
        apply=set_system_from(lambda machine: {"container_sees": len(machine.gpus) - 1}),
        checks={"software.container"},
        names={"{left[1]} accelerators"},
    ),
    Fault(
        name="driver-end-of-life",
        summary="The driver packages are of a branch that ended",
        apply=set_machine(package_versions=dict.fromkeys(DRIVER_PACKAGES, "535.129.03-1")),
        checks={"software.compatibility", "software.driver_parts"},
        names={"535.129.03"},
        needs="nvidia",
    ),
    # It was built for another kernel.
    Fault(
        name="driver-not-loaded",
        summary="The kernel module of the driver is not loaded",
        apply=set_system(modules=("ib_core",)),
        checks={"host.modules"},
        names={": not loaded"},
        masks={
            "gpu.*",
            "nvlink.[!is]*",
            "pcie.generation",
            "pcie.replays",
            "pcie.width",
            "software.cuda",
            "software.driver",
        },
    ),
    # The node was not rebooted after its driver was changed.
    Fault(
        name="driver-other-loaded",
        summary="Another release of the driver is loaded",
        apply=set_system_from(lambda machine: {"driver": ids.other_driver(machine.gpus[0].vendor)}),
        checks={"software.driver"},
        names={"{driver[0]}"},
    ),
    Fault(
        name="driver-too-old",
        summary="The loaded driver is too old for the declared CUDA",
        apply=set_system(driver="535.129.03"),
        checks={"software.cuda", "software.driver"},
        names={"12.2", "535.129.03"},
        needs="nvidia",
    ),
    # A power loss left it without content.
    Fault(
        name="library-empty",
        summary="A library of the driver is empty",
        apply=set_system(empty_libraries=("libnvidia-ptxjitcompiler.so",)),
        checks={"software.libraries"},
        names={"libnvidia-ptxjitcompiler"},
    ),
    Fault(
        name="library-stale",
        summary="A library of another driver release lies among those of the driver",
        apply=set_system(stale_libraries=("libcuda.so",)),
        checks={"software.libraries"},
        names={"580.126.20"},
    ),
    Fault(
        name="nouveau-beside",
        summary="nouveau is loaded beside the driver",
        apply=set_system_from(lambda machine: {"modules": (*machine.system.modules, "nouveau")}),
        checks={"host.modules"},
        names={"nouveau"},
    ),
    Fault(
        name="nvml-empty",
        summary="The NVML library is empty for containers",
        apply=set_system(empty_libraries=("libnvidia-ml.so",)),
        checks={"software.libraries"},
        names={"libnvidia-ml"},
        masks={"software.container"},
    ),
)
