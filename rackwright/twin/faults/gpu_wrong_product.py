"""A GPU of another product sits in one socket."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

OTHER = {"nvidia": "NVIDIA H200", "amd": "AMD Instinct MI325X", "huawei": "Ascend910"}
"""By vendor: another product that fits the socket."""

FAULT = Fault(
    name="gpu-wrong-product",
    summary="A GPU of another product sits in one socket",
    apply=on_gpu(5, lambda gpu: replace(gpu, product_name=OTHER.get(gpu.vendor, f"{gpu.product_name} sample"))),
    checks=frozenset({"gpu.product"}),
    names=frozenset({"GPU {gpu[5]}"}),
)
