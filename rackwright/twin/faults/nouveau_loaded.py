"""The installer left nouveau to be loaded: it has taken the accelerators when the driver comes."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="nouveau-loaded",
    summary="nouveau is loaded and has taken the accelerators",
    apply=on_machines(lambda machine: replace(machine, nouveau=True)),
    onboarding=True,
)
