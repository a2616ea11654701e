"""The key that signs the package mirror has expired."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="mirror-key-expired",
    summary="The key of the package mirror has expired",
    apply=on_machines(lambda machine: replace(machine, mirror="expired-key")),
    onboarding=True,
)
