"""Faults inside one accelerator, or on the board around all of them: what files of faults share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rackwright.twin.faults import on_gpu, on_machines
from rackwright.twin.hardware.state import Machine, State

Apply = Callable[[State, Sequence[str]], State]


def on_health(index: int, **change: Any) -> Apply:
    """An `apply` that changes fields of `parts.gpu.GpuHealth` of one accelerator of every hit machine."""
    return on_gpu(index, lambda gpu: replace(gpu, health=replace(gpu.health, **change)))


def on_board(**change: Any) -> Apply:
    """An `apply` that changes fields of `parts.gpu.Board` of every hit machine."""
    return on_machines(lambda machine: replace(machine, board=replace(machine.board, **change)))


def on_adapter(index: int, **change: Any) -> Apply:
    """An `apply` that changes, for one compute port of every hit machine, what `parts.gpu.Board` keeps by port."""

    def changed(machine: Machine) -> Machine:
        ports = [nic.name for nic in machine.nics if nic.role == "compute"]
        if not ports:
            return machine
        name = ports[index % len(ports)]
        fields: dict[str, Any] = {field: {name: value} for field, value in change.items()}
        return replace(machine, board=replace(machine.board, **fields))

    return on_machines(changed)


def without_adapter(index: int) -> Apply:
    """An `apply` that takes the adapter of one compute port of every hit machine from the bus."""

    def changed(machine: Machine) -> Machine:
        ports = [nic.name for nic in machine.nics if nic.role == "compute"]
        missing = (ports[index % len(ports)],) if ports else ()
        return replace(machine, board=replace(machine.board, nics_missing=missing))

    return on_machines(changed)
