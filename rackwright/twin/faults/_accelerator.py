"""Faults inside one accelerator, or on the board around all of them: what files of faults share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rackwright.twin.faults import on_gpu, on_machines
from rackwright.twin.state import State

Apply = Callable[[State, Sequence[str]], State]


def on_health(index: int, **change: Any) -> Apply:
    """An `apply` that changes fields of `parts.gpu.GpuHealth` of one accelerator of every hit machine."""
    return on_gpu(index, lambda gpu: replace(gpu, health=replace(gpu.health, **change)))


def on_board(**change: Any) -> Apply:
    """An `apply` that changes fields of `parts.gpu.Board` of every hit machine."""
    return on_machines(lambda machine: replace(machine, board=replace(machine.board, **change)))
