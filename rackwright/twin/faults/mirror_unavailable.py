"""The package mirror answers every request of a node with an internal error (HTTP 500)."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="mirror-unavailable",
    summary="The package mirror answers with an internal error",
    apply=on_machines(lambda machine: replace(machine, mirror="unavailable")),
    onboarding=True,
)
