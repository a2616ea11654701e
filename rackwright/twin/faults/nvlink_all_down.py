"""All NVLinks of a GPU are down, and its collectives go through host memory."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_gpu

FAULT = Fault(
    name="nvlink-all-down",
    summary="All NVLinks of a GPU are down, and its collectives go through host memory",
    apply=on_gpu(3, lambda gpu: replace(gpu, nvlinks=(False,) * len(gpu.nvlinks))),
    checks=frozenset({"nvlink.links"}),
    elsewhere=frozenset({"collective.across_nodes", "collective.ports"}),
    names=frozenset({"GPU {gpu[3]}"}),
    needs="nvlink",
    masks=frozenset({"collective.in_node", "collective.path"}),
)
