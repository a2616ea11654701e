"""Changes of one accelerator, or of the board around all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rackwright.twin.faults.changes.machine import change_machine
from rackwright.twin.faults.changes.network import find_port
from rackwright.twin.faults.fault import Apply
from rackwright.twin.hardware.state import Gpu, TwinMachine


def change_gpu(index: int, change: Callable[[Gpu], Gpu]) -> Apply:
    """Change one GPU of every hit machine."""

    def change_one(machine: TwinMachine) -> TwinMachine:
        hit = index % max(len(machine.gpus), 1)
        return replace(machine, gpus=tuple(change(gpu) if gpu.index == hit else gpu for gpu in machine.gpus))

    return change_machine(change_one)


def change_every_gpu(change: Callable[[Gpu], Gpu]) -> Apply:
    """Change all GPUs of every hit machine."""
    return change_machine(lambda machine: replace(machine, gpus=tuple(map(change, machine.gpus))))


def set_gpu(index: int, **fields: Any) -> Apply:
    """Set fields of `Gpu`."""
    return change_gpu(index, lambda gpu: replace(gpu, **fields))


def set_gpu_health(index: int, **fields: Any) -> Apply:
    """Set fields of `parts.gpu.GpuHealth`."""
    return change_gpu(index, lambda gpu: replace(gpu, health=replace(gpu.health, **fields)))


def set_board(**fields: Any) -> Apply:
    """Set fields of `parts.gpu.Board`."""
    return change_machine(lambda machine: replace(machine, board=replace(machine.board, **fields)))


def set_adapter(index: int, **fields: Any) -> Apply:
    """Set fields that `parts.gpu.Board` has by port, for one compute port."""

    def change(machine: TwinMachine) -> TwinMachine:
        port = find_port(machine, "compute", index)
        by_port: dict[str, Any] = {field: {port: value} for field, value in fields.items()}
        return replace(machine, board=replace(machine.board, **by_port)) if port else machine

    return change_machine(change)


def remove_adapter(index: int) -> Apply:
    """Take the adapter of one compute port from the PCIe bus."""

    def change(machine: TwinMachine) -> TwinMachine:
        port = find_port(machine, "compute", index)
        return replace(machine, board=replace(machine.board, nics_missing=(port,) if port else ()))

    return change_machine(change)
