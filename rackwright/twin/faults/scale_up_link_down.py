"""A link of an accelerator to its neighbours is down."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="scale-up-link-down",
    summary="A link of an accelerator to its neighbours is down",
    apply=on_gpu(2, lambda gpu: replace(gpu, nvlinks=(*[True] * (gpu.scale_up_links - 1), False))),
    checks=frozenset({"gpu.scale_up_links"}),
    names=frozenset({"GPU {gpu[2]}"}),
)
