"""Another process of a node holds the lock of dpkg for a while after each boot."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

HOLD_SECONDS = 45
"""Longer than an act that does not wait, shorter than one that does."""

FAULT = Fault(
    name="dpkg-locked",
    summary="Another process holds the lock of dpkg",
    apply=on_machines(lambda machine: replace(machine, dpkg_lock_seconds=HOLD_SECONDS)),
    onboarding=True,
)
