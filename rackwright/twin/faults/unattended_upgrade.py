"""An unattended upgrade moved the driver of a node to the newest release after it was onboarded."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines
from rackwright.twin.hardware.state import NEWEST

FAULT = Fault(
    name="unattended-upgrade",
    summary="An unattended upgrade moved the driver",
    apply=on_machines(lambda machine: replace(machine, package_versions={"nvidia-open": NEWEST})),
    onboarding=True,
)
