"""The kernel of a node is held at a release for which an upgrade is there."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="package-held-back",
    summary="The kernel is on hold and an upgrade is pending",
    apply=on_machines(
        lambda machine: replace(machine, kernel="older", package_states={"linux-image-amd64": "hold ok installed"})
    ),
    onboarding=True,
)
