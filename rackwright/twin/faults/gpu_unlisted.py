"""The BMC lists one accelerator fewer than there are."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines
from rackwright.twin.hardware.state import Machine


def _unlisted(machine: Machine) -> Machine:
    last = tuple(gpu.index for gpu in machine.gpus[-1:])
    return replace(machine, chassis=replace(machine.chassis, gpus_unlisted=last))


FAULT = Fault(
    name="gpu-unlisted",
    summary="The BMC lists one accelerator fewer than there are",
    apply=on_machines(_unlisted),
    checks=frozenset({"bmc.gpus"}),
    names=frozenset({"inventory: {left[1]}"}),
)
