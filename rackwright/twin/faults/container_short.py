"""Containers get one accelerator fewer than the node has."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system_of

FAULT = Fault(
    name="container-short",
    summary="Containers get one accelerator fewer than the node has",
    apply=system_of(lambda machine: {"container_sees": len(machine.gpus) - 1}),
    checks=frozenset({"software.container"}),
    names=frozenset({"{left[1]} accelerators"}),
)
