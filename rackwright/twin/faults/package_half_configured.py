"""A package was left half-configured by whoever installed the system."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="package-half-configured",
    summary="A package was left half-configured by whoever installed the system",
    apply=on_machines(
        lambda machine: replace(machine, package_states={"initramfs-tools": "install ok half-configured"})
    ),
    onboarding=True,
)
