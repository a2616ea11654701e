"""A node that is restarted does not come back until its power is switched off and on."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="restart-hangs",
    summary="A restarted node does not come back",
    apply=on_machines(lambda machine: replace(machine, restart_hangs=True)),
    onboarding=True,
)
