"""The BMC counts less memory than is fitted."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines
from rackwright.twin.hardware.state import Machine


def _unlisted(machine: Machine) -> Machine:
    return replace(machine, chassis=replace(machine.chassis, memory_gib_listed=machine.memory_gib * 15 // 16))


FAULT = Fault(
    name="memory-unlisted",
    summary="The BMC counts less memory than is fitted",
    apply=on_machines(_unlisted),
    checks=frozenset({"bmc.memory"}),
    names=frozenset({"{memory[1]}"}),
)
