"""The BMC cables of two nodes are swapped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.state import Machine, State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the BMC cables of the two nodes."""
    first, second = nodes
    far = {first: state.machines[second].bmc_far, second: state.machines[first].bmc_far}
    for node in nodes:
        state = state.with_machine(node, partial(_ending, far=far[node]))
    return state


def _ending(machine: Machine, far: tuple[str, str] | None) -> Machine:
    return replace(machine, bmc_far=far)


FAULT = Fault(
    name="bmc-cables-swapped",
    summary="The BMC cables of two nodes are swapped",
    apply=apply,
    checks=frozenset({"ethernet.out_of_band"}),
    nodes=2,
    names=frozenset({"cable of the BMC"}),
    refused=False,
)
