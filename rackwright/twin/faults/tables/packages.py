"""Faults of installed packages."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_machine, set_package, set_system
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware.state import OLDER

FAULTS = (
    Fault(
        name="container-toolkit-other-version",
        summary="The container toolkit is at another version than declared",
        apply=set_package("nvidia-container-toolkit", "1.19.1-1"),
        checks={"software.container_toolkit"},
        names={"1.19.1"},
    ),
    # It does not start, and the NVSwitch fabric stays down.
    Fault(
        name="fabric-manager-mismatch",
        summary="The fabric manager is older than the driver",
        apply=set_machine(package_versions={"nvidia-fabricmanager": OLDER}),
        checks={"software.fabric_manager", "host.services", "nvlink.fabric_state"},
        needs="fabric-manager",
    ),
    Fault(
        name="gdrcopy-other-version",
        summary="GDRCopy is at another version than declared",
        apply=set_package("gdrdrv-dkms", "2.5-1"),
        checks={"software.gdrcopy"},
        names={"2.5"},
    ),
    Fault(
        name="holds-lifted",
        summary="The package of NCCL is not held any more, so that an upgrade may change it",
        apply=set_system(packages_free=("libnccl2",)),
        checks={"software.holds"},
        names={"nccl"},
        needs="nvidia",
    ),
    Fault(
        name="nccl-other-version",
        summary="NCCL is at another version than declared",
        apply=set_package("libnccl2", "2.28.9-1+cuda13.0"),
        checks={"software.nccl"},
        names={"2.28.9"},
    ),
    Fault(
        name="nccl-tests-other-version",
        summary="nccl-tests is at another version than declared",
        apply=set_package("nccl-tests", "2.16.0-1"),
        checks={"software.nccl_tests"},
        names={"2.16.0"},
    ),
    # It is left over from another driver.
    Fault(
        name="nscq-other-version",
        summary="NSCQ is older than the driver",
        apply=set_package("libnvidia-nscq", "580.126.20-1"),
        checks={"software.driver_parts"},
        names={"libnvidia-nscq"},
        needs="fabric-manager",
    ),
    Fault(
        name="nvbandwidth-other-version",
        summary="nvbandwidth is at another version than declared",
        apply=set_package("nvbandwidth", "0.8-1"),
        checks={"software.nvbandwidth"},
        names={"0.8"},
    ),
    Fault(
        name="package-broken",
        summary="The installation of a package of the driver was cut off",
        apply=set_system(packages_broken=("nvidia-modprobe",)),
        checks={"software.whole"},
        names={"nvidia-modprobe"},
        needs="nvidia",
    ),
)
