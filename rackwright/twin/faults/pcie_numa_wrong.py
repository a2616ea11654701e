"""The firmware says that all GPUs hang on the first socket."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="pcie-numa-wrong",
    summary="The firmware says that all GPUs hang on the first socket",
    apply=on_machines(
        lambda machine: replace(
            machine, gpus=tuple(replace(gpu, health=replace(gpu.health, numa_node=0)) for gpu in machine.gpus)
        )
    ),
    checks=frozenset({"pcie.numa"}),
    names=frozenset({"on node 0"}),
)
