"""The BMC reports another model than the design has."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="bmc-wrong-model",
    summary="The BMC reports another model than the design has",
    apply=on_machines(lambda machine: replace(machine, model="DGXA100")),
    checks=frozenset({"bmc.model"}),
)
