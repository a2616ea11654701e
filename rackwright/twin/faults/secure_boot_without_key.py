"""Secure Boot is on and the key that modules are signed with is not enrolled: no module of DKMS loads."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="secure-boot-without-key",
    summary="Secure Boot is on and the key of the modules is not enrolled",
    apply=on_machines(lambda machine: replace(machine, secure_boot=True)),
    onboarding=True,
)
