"""One NVLink of a GPU is down."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="nvlink-one-down",
    summary="One NVLink of a GPU is down",
    apply=on_gpu(6, lambda gpu: replace(gpu, nvlinks=(False, *gpu.nvlinks[1:]))),
    checks=frozenset({"nvlink.links"}),
    names=frozenset({"GPU 6"}),
    # A collective with one partner may fall just below what is degraded, and with the others stay just above.
    elsewhere=frozenset({"collective.across_nodes"}),
)
