"""Somebody lifted the hold of NCCL."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="holds-lifted",
    summary="The hold of NCCL was lifted",
    apply=system(packages_free=("libnccl2",)),
    checks=frozenset({"software.holds"}),
    names=frozenset({"nccl"}),
    needs="nvidia",
)
