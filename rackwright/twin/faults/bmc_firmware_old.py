"""The firmware of the BMC is older than that of the peers."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="bmc-firmware-old",
    summary="The firmware of the BMC is older than that of the peers",
    apply=on_machines(lambda machine: replace(machine, bmc_version="24.01.05")),
    checks=frozenset({"bmc.firmware"}),
    names=frozenset({"24.01.05"}),
)
