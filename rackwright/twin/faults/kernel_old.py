"""The node still runs an older kernel than the others."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="kernel-old",
    summary="The kernel is older than that of the peers",
    apply=on_machines(lambda machine: replace(machine, system=replace(machine.system, kernel="6.1.0-37-amd64"))),
    checks=frozenset({"host.kernel"}),
    names=frozenset({"6.1.0-37-amd64"}),
)
