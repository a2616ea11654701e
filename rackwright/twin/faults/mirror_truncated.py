"""The package mirror ends every package half way."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="mirror-truncated",
    summary="The package mirror ends packages half way",
    apply=on_machines(lambda machine: replace(machine, mirror="truncated")),
    onboarding=True,
)
