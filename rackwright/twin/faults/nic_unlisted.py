"""The BMC lists one adapter fewer than there are."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines
from rackwright.twin.faults._network import RAIL, port
from rackwright.twin.hardware.state import Machine


def _unlisted(machine: Machine) -> Machine:
    missing = (port(machine, "compute", RAIL),)
    return replace(machine, chassis=replace(machine.chassis, nics_unlisted=missing))


FAULT = Fault(
    name="nic-unlisted",
    summary="The BMC lists one adapter fewer than there are",
    apply=on_machines(_unlisted),
    checks=frozenset({"bmc.nics"}),
    names=frozenset({"{compute[3]}"}),
)
