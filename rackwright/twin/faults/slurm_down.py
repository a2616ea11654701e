"""slurmctld holds the node for down."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="slurm-down",
    summary="The node is down in Slurm",
    apply=system(slurm_states=("down",)),
    checks=frozenset({"scheduler.state"}),
    names=frozenset({"down"}),
)
