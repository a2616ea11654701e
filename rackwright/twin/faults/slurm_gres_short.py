"""Slurm can give away one accelerator fewer than the node has."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="slurm-gres-short",
    summary="Slurm can give away one accelerator fewer than the node has",
    apply=system(slurm_gres_short=1),
    checks=frozenset({"scheduler.gres"}),
    names=frozenset({"gpu:{left[1]}"}),
)
