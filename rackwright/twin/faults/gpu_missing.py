"""A GPU has fallen off the bus."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="gpu-missing",
    summary="A GPU has fallen off the bus",
    apply=on_gpu(5, lambda gpu: replace(gpu, present=False)),
    checks=frozenset({"gpu.count"}),
    # slurmd waits some 20 s for a device file of gres.conf that is not there, and then gives up.
    also=frozenset({"host.services"}),
    names=frozenset({"accelerators that answer: {left[1]}"}),
    masks=frozenset({"collective.in_node"}),
)
