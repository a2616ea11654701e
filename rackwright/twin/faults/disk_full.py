"""The disk of a node has no room for the packages."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FREE_MIB = 4
"""Enough to boot and log in, too little for the index of a package mirror."""

FAULT = Fault(
    name="disk-full",
    summary="The disk has no room for packages",
    apply=on_machines(lambda machine: replace(machine, disk_mib=FREE_MIB)),
    onboarding=True,
)
