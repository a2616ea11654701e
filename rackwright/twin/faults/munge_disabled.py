"""The unit of munge was disabled."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="munge-disabled",
    summary="munge does not start at boot",
    apply=system(disabled_services=("munge",)),
    checks=frozenset({"host.services"}),
    names=frozenset({"munge"}),
    needs="slurm",
)
