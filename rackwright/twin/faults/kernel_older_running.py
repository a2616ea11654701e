"""The boot loader of a node starts an older kernel than the newest installed, and goes on doing so."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="kernel-older-running",
    summary="The boot loader starts an older kernel than the one that is installed",
    apply=on_machines(lambda machine: replace(machine, kernel="pinned")),
    onboarding=True,
)
