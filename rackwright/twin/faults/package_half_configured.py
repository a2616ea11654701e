"""A package of a node was left half-configured by an installation that was killed."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="package-half-configured",
    summary="A package is half-configured",
    apply=on_machines(
        lambda machine: replace(machine, package_states={"initramfs-tools": "install ok half-configured"})
    ),
    onboarding=True,
)
