"""Two cables of a leaf are swapped at their spines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import changed_cables, trunks
from rackwright.twin.hardware.state import State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the first and the last cable of the first leaf of each node."""
    for node in nodes:
        own = trunks(state, node)
        for first, last in zip(own[:1], own[-1:], strict=True):
            swapped = {first.cable: replace(first, b=last.b), last.cable: replace(last, b=first.b)}
            state = changed_cables(state, swapped)
    return state


FAULT = Fault(
    name="leaf-cables-swapped",
    summary="Two cables of a leaf are swapped at their spines",
    apply=apply,
    checks=frozenset({"fabric.leaf_spine"}),
    elsewhere=frozenset({"fabric.leaf_spine"}),
    refused=False,
    names=frozenset({"are swapped"}),
)
