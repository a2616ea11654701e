"""Load tests by the tools of AMD and Huawei: `observe` and `render` of their modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rackwright.model.base import Record
from rackwright.model.design import Design
from rackwright.twin.hardware.performance import model
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent

R = TypeVar("R", bound=Record)
Observe = Callable[[State, Design, str], R]


def vendor_load(measure: Observe[R], text: Callable[[R], str]) -> tuple[Observe[R], Callable[[R], bytes]]:
    """`observe` for nodes with accelerators, by `measure`, and `render`, by `text`."""

    def observe(state: State, design: Design, node: str) -> R:
        if not model.working(state.machines[node]):
            raise Silent(f"{node} shows no accelerator")
        return measure(state, design, node)

    return observe, lambda record: text(record).encode()
