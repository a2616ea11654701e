"""A setting of the kernel is not as the roles left it."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="numa-balancing-on",
    summary="Automatic NUMA balancing is on",
    apply=on_machines(
        lambda machine: replace(
            machine, system=replace(machine.system, sysctl={**machine.system.sysctl, "kernel.numa_balancing": "1"})
        )
    ),
    checks=frozenset({"host.sysctl"}),
    names=frozenset({"kernel.numa_balancing"}),
    refused=False,
)
