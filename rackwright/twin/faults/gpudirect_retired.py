"""The retired peer memory module is loaded."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="gpudirect-retired",
    summary="The retired peer memory module is loaded",
    apply=on_machines(
        lambda machine: replace(machine, rdma=replace(machine.rdma, modules=(*machine.rdma.modules, "nv_peer_mem")))
    ),
    checks=frozenset({"rdma.gpudirect"}),
    names=frozenset({"nv_peer_mem"}),
)
