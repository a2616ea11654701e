"""The packages of the driver were replaced by those of a branch that ended."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

PARTS = ("nvidia-open", "nvidia-driver", "nvidia-driver-cuda", "nvidia-kernel-open-dkms")

FAULT = Fault(
    name="driver-end-of-life",
    summary="The driver packages are of a branch that ended",
    apply=on_machines(lambda machine: replace(machine, package_versions=dict.fromkeys(PARTS, "535.129.03-1"))),
    checks=frozenset({"software.compatibility", "software.driver_parts"}),
    names=frozenset({"535.129.03"}),
)
