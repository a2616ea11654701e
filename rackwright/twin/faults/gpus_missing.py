"""Two GPUs have fallen off the bus."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="gpus-missing",
    summary="Two GPUs have fallen off the bus",
    apply=on_machines(
        lambda machine: replace(
            machine, gpus=tuple(replace(gpu, present=gpu.index not in (1, 2)) for gpu in machine.gpus)
        )
    ),
    checks=frozenset({"gpu.count"}),
    also=frozenset({"host.services"}),
    names=frozenset({"accelerators that answer: {left[2]}"}),
    masks=frozenset({"collective.in_node"}),
)
