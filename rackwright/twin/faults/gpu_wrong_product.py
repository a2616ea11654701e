"""A GPU of another product sits in one socket."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="gpu-wrong-product",
    summary="A GPU of another product sits in one socket",
    apply=on_gpu(5, lambda gpu: replace(gpu, product_name="NVIDIA H200")),
    checks=frozenset({"gpu.product"}),
    names=frozenset({"GPU {gpu[5]}"}),
)
