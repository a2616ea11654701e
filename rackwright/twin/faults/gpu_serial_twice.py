"""Two GPUs tell the same serial number."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="gpu-serial-twice",
    summary="Two GPUs tell the same serial number",
    apply=on_machines(
        lambda machine: replace(
            machine, gpus=(machine.gpus[0], replace(machine.gpus[1], serial=machine.gpus[0].serial), *machine.gpus[2:])
        )
    ),
    checks=frozenset({"gpu.serials"}),
    names=frozenset({"GPU {gpu[1]}"}),
)
