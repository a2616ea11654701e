"""The package of NCCL is not held any more, so that an upgrade may change it."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="holds-lifted",
    summary="The package of NCCL is not held any more, so that an upgrade may change it",
    apply=system(packages_free=("libnccl2",)),
    checks=frozenset({"software.holds"}),
    names=frozenset({"nccl"}),
    needs="nvidia",
)
