"""GPUs of two nodes show the serial number of the image that both boards were flashed with."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="gpu-serial-of-another-node",
    summary="GPUs of two nodes show the same serial number",
    apply=on_gpu(4, lambda gpu: replace(gpu, serial="1320000000001")),
    checks=frozenset({"gpu.serials_fleet"}),
    nodes=2,
    names=frozenset({"GPU {gpu[4]}"}),
)
