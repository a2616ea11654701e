"""A technician booted from the network and left it so."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="boot-override-left",
    summary="A boot override was left behind",
    apply=on_machines(lambda machine: replace(machine, boot_target="Pxe", boot_enabled="Continuous")),
    checks=frozenset({"bmc.boot_override"}),
    names=frozenset({"Pxe"}),
)
