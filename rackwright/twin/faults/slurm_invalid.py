"""The registration of the node is invalid."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="slurm-invalid",
    summary="The node registered with less than slurm.conf says",
    apply=system(slurm_states=("idle", "invalid_reg")),
    checks=frozenset({"scheduler.state"}),
    names=frozenset({"invalid_reg"}),
)
