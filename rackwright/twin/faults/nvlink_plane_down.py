"""The NVLinks of all GPUs to one NVSwitch are down."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="nvlink-plane-down",
    summary="The NVLinks of all GPUs to one NVSwitch are down",
    apply=on_machines(
        lambda machine: replace(
            machine,
            gpus=tuple(
                replace(gpu, nvlinks=(*gpu.nvlinks[:-4], *[False] * len(gpu.nvlinks[-4:]))) for gpu in machine.gpus
            ),
        )
    ),
    checks=frozenset({"nvlink.links"}),
    names=frozenset({"GPU {gpu[0]}"}),
    needs="nvlink",
)
