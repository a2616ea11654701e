"""The packages of the mirror are not those that its index lists: one byte of each is another."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="mirror-altered",
    summary="Packages of the mirror do not match their digests",
    apply=on_machines(lambda machine: replace(machine, mirror="altered")),
    onboarding=True,
)
