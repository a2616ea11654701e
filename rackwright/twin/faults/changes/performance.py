"""Changes of the performance of a machine under load."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rackwright.twin.faults.changes.machine import change_machine
from rackwright.twin.faults.changes.network import find_port
from rackwright.twin.faults.fault import Apply
from rackwright.twin.hardware.state import TwinMachine


def set_performance(**fields: Any) -> Apply:
    """Set fields of `parts.performance.Performance`."""
    return change_machine(lambda machine: replace(machine, performance=replace(machine.performance, **fields)))


def set_gpu_performance(index: int, **fields: Any) -> Apply:
    """Set fields of `parts.performance.GpuSpeed` of one accelerator."""
    return change_machine(lambda machine: _change_gpus(machine, [index % max(len(machine.gpus), 1)], fields))


def set_every_gpu_performance(**fields: Any) -> Apply:
    """Set fields of `parts.performance.GpuSpeed` of all accelerators."""
    return change_machine(lambda machine: _change_gpus(machine, [gpu.index for gpu in machine.gpus], fields))


def _change_gpus(machine: TwinMachine, indices: list[int], fields: dict[str, Any]) -> TwinMachine:
    speeds = {index: replace(machine.performance.gpu(index), **fields) for index in indices}
    return replace(machine, performance=replace(machine.performance, gpus={**machine.performance.gpus, **speeds}))


def set_rail_performance(number: int, **fields: Any) -> Apply:
    """Set fields of `parts.performance.Rail` of the adapter of one rail."""

    def change(machine: TwinMachine) -> TwinMachine:
        port = find_port(machine, "compute", number)
        if not port:
            return machine
        rails = {**machine.performance.rails, port: replace(machine.performance.rail(port), **fields)}
        return replace(machine, performance=replace(machine.performance, rails=rails))

    return change_machine(change)
