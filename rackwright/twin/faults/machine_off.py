"""Somebody switched the machine off."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="machine-off",
    summary="The machine is switched off",
    apply=on_machines(lambda machine: replace(machine, power_state="Off")),
    checks=frozenset({"bmc.power"}),
    names=frozenset({"Off"}),
    unread=True,
    elsewhere=frozenset({"nvlink.imex"}),
    masks=frozenset({"*"}),
)
