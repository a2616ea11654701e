"""A switch runs a subnet manager of its own and wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import trunks
from rackwright.twin.hardware.state import State

HIGHEST = 15
"""Priority above every other (InfiniBand Architecture Specification, volume 1, SMInfo: four bits)."""


def apply(state: State, nodes: Sequence[str]) -> State:
    """Start a subnet manager on the first leaf of each node."""
    for node in nodes:
        for leaf in {cable.a.device for cable in trunks(state, node)}:
            ruled = replace(state.switches[leaf], manager_priority=HIGHEST)
            state = replace(state, switches={**state.switches, leaf: ruled})
    return state


FAULT = Fault(
    name="subnet-manager-foreign",
    summary="A switch runs a subnet manager of its own and wins",
    apply=apply,
    checks=frozenset({"fabric.subnet_manager"}),
    elsewhere=frozenset({"fabric.subnet_manager"}),
    refused=False,
    names=frozenset({"leaf-01"}),
)
