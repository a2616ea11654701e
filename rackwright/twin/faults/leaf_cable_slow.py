"""A cable between a leaf and a spine trained down to half of its rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import changed_cables, trunks
from rackwright.twin.state import State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Halve the rate of the third cable of the first leaf of each node."""
    for node in nodes:
        for cable in trunks(state, node)[2:3]:
            state = changed_cables(state, {cable.cable: replace(cable, gbps=200)})
    return state


FAULT = Fault(
    name="leaf-cable-slow",
    summary="A cable between a leaf and a spine trained down to half of its rate",
    apply=apply,
    checks=frozenset({"fabric.trunk_rate"}),
    elsewhere=frozenset({"fabric.trunk_rate"}),
    refused=False,
    names=frozenset({"leaf-01"}),
)
