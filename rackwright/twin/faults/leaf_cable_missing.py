"""A cable between a leaf and a spine is not plugged in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import changed_cables, trunks
from rackwright.twin.state import State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Unplug the second cable of the first leaf of each node."""
    for node in nodes:
        for cable in trunks(state, node)[1:2]:
            state = changed_cables(state, {cable.cable: replace(cable, connected=False)})
    return state


FAULT = Fault(
    name="leaf-cable-missing",
    summary="A cable between a leaf and a spine is not plugged in",
    apply=apply,
    checks=frozenset({"fabric.leaf_spine"}),
    elsewhere=frozenset({"fabric.leaf_spine"}),
    refused=False,
    names=frozenset({"leaf-01"}),
)
