"""One NVLink of a GPU is down."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="nvlink-down",
    summary="One NVLink of a GPU is down",
    apply=on_gpu(2, lambda gpu: replace(gpu, nvlinks=(*gpu.nvlinks[:-1], False))),
    checks=frozenset({"nvlink.links"}),
    # A collective with one partner may fall just below what is degraded, and with the others stay just above.
    elsewhere=frozenset({"collective.across_nodes"}),
    names=frozenset({"GPU {gpu[2]}"}),
    needs="nvlink",
)
