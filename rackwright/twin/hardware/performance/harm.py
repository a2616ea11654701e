"""How faults change what a machine reaches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rackwright.twin.hardware.state import Machine, State

Apply = Callable[[State, Sequence[str]], State]


def machine(**change: Any) -> Apply:
    """Fields of `Performance` of every hit machine."""
    return _everywhere(lambda one: replace(one, performance=replace(one.performance, **change)))


def gpu(index: int, **change: Any) -> Apply:
    """Fields of `GpuSpeed` of one accelerator of every hit machine; counted on from 0 again where there are fewer."""

    def changed(one: Machine) -> Machine:
        hit = index % max(len(one.gpus), 1)
        slow = replace(one.performance.gpu(hit), **change)
        return replace(one, performance=replace(one.performance, gpus={**one.performance.gpus, hit: slow}))

    return _everywhere(changed)


def every_gpu(**change: Any) -> Apply:
    """The same fields of all accelerators of every hit machine."""

    def changed(one: Machine) -> Machine:
        slow = {part.index: replace(one.performance.gpu(part.index), **change) for part in one.gpus}
        return replace(one, performance=replace(one.performance, gpus=slow))

    return _everywhere(changed)


def rail(number: int, **change: Any) -> Apply:
    """Fields of `Rail` of the adapter of one rail of every hit machine; counted as in `gpu`."""

    def changed(one: Machine) -> Machine:
        names = [nic.name for nic in one.nics if nic.role == "compute"]
        if not names:
            return one
        name = names[number % len(names)]
        slow = replace(one.performance.rail(name), **change)
        return replace(one, performance=replace(one.performance, rails={**one.performance.rails, name: slow}))

    return _everywhere(changed)


def _everywhere(change: Callable[[Machine], Machine]) -> Apply:
    def apply(state: State, nodes: Sequence[str]) -> State:
        for node in nodes:
            state = state.with_machine(node, change)
        return state

    return apply
