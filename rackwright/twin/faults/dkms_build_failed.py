"""DKMS cannot build the driver: the compiler refuses it. The package stays half-configured, as dpkg leaves it."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="dkms-build-failed",
    summary="DKMS cannot build a kernel module",
    apply=on_machines(lambda machine: replace(machine, dkms_fails=True)),
    onboarding=True,
)
