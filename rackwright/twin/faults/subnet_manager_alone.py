"""The second subnet manager does not run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.state import Machine, State


def apply(state: State, nodes: Sequence[str]) -> State:
    """Stop the subnet manager of the last machine that is for it."""
    del nodes
    machines = [name for name, machine in state.machines.items() if machine.role == "ufm"]
    for name in machines[-1:]:
        state = state.with_machine(name, _stopped)
    return state


def _stopped(machine: Machine) -> Machine:
    return replace(machine, rdma=replace(machine.rdma, subnet_manager=False))


FAULT = Fault(
    name="subnet-manager-alone",
    summary="The second subnet manager does not run",
    apply=apply,
    checks=frozenset({"fabric.subnet_manager"}),
    elsewhere=frozenset({"fabric.subnet_manager"}),
    refused=False,
    names=frozenset({"no standby"}),
)
