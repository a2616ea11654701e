"""All GPUs of a node carry an older VBIOS than the fleet."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="gpu-vbios-node-behind",
    summary="All GPUs of a node carry an older VBIOS than the fleet",
    apply=on_machines(
        lambda machine: replace(machine, gpus=tuple(replace(gpu, vbios="96.00.61.00.01") for gpu in machine.gpus))
    ),
    checks=frozenset({"gpu.vbios_fleet"}),
    names=frozenset({"GPU {gpu[0]}"}),
)
