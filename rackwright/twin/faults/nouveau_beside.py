"""nouveau was loaded after the driver."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="nouveau-beside",
    summary="nouveau is loaded beside the driver",
    apply=on_machines(
        lambda machine: replace(machine, system=replace(machine.system, modules=(*machine.system.modules, "nouveau")))
    ),
    checks=frozenset({"host.modules"}),
    names=frozenset({"nouveau"}),
)
