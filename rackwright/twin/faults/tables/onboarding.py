"""Faults that stop the onboarding of a node."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_machine
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware.state import NEWEST

FAULTS = (
    Fault(
        name="disk-full",
        summary="The disk has no room for packages",
        apply=set_machine(disk_mib=2),
        onboarding=True,
    ),
    # The compiler refuses it; dpkg leaves the package half-configured.
    Fault(
        name="dkms-build-failed",
        summary="DKMS cannot build a kernel module",
        apply=set_machine(dkms_fails=True),
        onboarding=True,
    ),
    # For a while after each boot.
    Fault(
        name="dpkg-locked",
        summary="Another process holds the lock of dpkg",
        apply=set_machine(dpkg_lock_seconds=45),
        onboarding=True,
    ),
    # At every boot.
    Fault(
        name="kernel-older-running",
        summary="The boot loader starts an older kernel than the one that is installed",
        apply=set_machine(kernel="pinned"),
        onboarding=True,
    ),
    # One byte of each package differs.
    Fault(
        name="mirror-altered",
        summary="Packages of the mirror do not match their digests",
        apply=set_machine(mirror="altered"),
        onboarding=True,
    ),
    Fault(
        name="mirror-key-expired",
        summary="The package mirror hands out another key, which has expired",
        apply=set_machine(mirror="expired-key"),
        onboarding=True,
    ),
    Fault(
        name="mirror-truncated",
        summary="The package mirror ends packages half way",
        apply=set_machine(mirror="truncated"),
        onboarding=True,
    ),
    # HTTP 500.
    Fault(
        name="mirror-unavailable",
        summary="The package mirror answers with an internal error",
        apply=set_machine(mirror="unavailable"),
        onboarding=True,
    ),
    # It took them before the driver was loaded.
    Fault(
        name="nouveau-loaded",
        summary="nouveau is loaded and has taken the accelerators",
        apply=set_machine(nouveau=True),
        onboarding=True,
    ),
    Fault(
        name="package-half-configured",
        summary="A package was left half-configured by whoever installed the system",
        apply=set_machine(package_states={"initramfs-tools": "install ok half-configured"}),
        onboarding=True,
    ),
    Fault(
        name="package-held-back",
        summary="The kernel is on hold and an upgrade is pending",
        apply=set_machine(kernel="older", package_states={"linux-image-amd64": "hold ok installed"}),
        onboarding=True,
    ),
    # It comes back after its power is switched off and on.
    Fault(
        name="restart-hangs",
        summary="A restarted node does not come back",
        apply=set_machine(restart_hangs=True),
        onboarding=True,
    ),
    # No module that DKMS built loads.
    Fault(
        name="secure-boot-without-key",
        summary="Secure Boot is on and the key of the modules is not enrolled",
        apply=set_machine(secure_boot=True),
        onboarding=True,
    ),
    # To the newest release, after the node was onboarded.
    Fault(
        name="unattended-upgrade",
        summary="An unattended upgrade moved the driver",
        apply=set_machine(package_versions={"nvidia-open": NEWEST}),
        onboarding=True,
    ),
)
