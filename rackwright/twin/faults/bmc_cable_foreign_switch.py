"""The cable of a BMC ends in a switch that is not of the plan."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="bmc-cable-foreign-switch",
    summary="The cable of a BMC ends in a switch that is not of the plan",
    apply=on_machines(lambda machine: replace(machine, bmc_far=("office-switch-2", "swp31"))),
    checks=frozenset({"ethernet.out_of_band"}),
    names=frozenset({"cable of the BMC"}),
    refused=False,
)
