"""A package of the driver was left half-configured."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="package-broken",
    summary="A package of the driver was left half-configured",
    apply=system(packages_broken=("nvidia-modprobe",)),
    checks=frozenset({"software.whole"}),
    names=frozenset({"nvidia-modprobe"}),
    needs="nvidia",
)
