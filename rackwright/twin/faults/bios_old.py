"""The node missed an update of its BIOS."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="bios-old",
    summary="The BIOS is older than that of the peers",
    apply=on_machines(lambda machine: replace(machine, bios_version="1.5.2")),
    checks=frozenset({"bmc.bios"}),
    names=frozenset({"1.5.2"}),
)
