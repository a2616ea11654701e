"""An installation was cut off."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="package-broken",
    summary="A package is half configured",
    apply=system(packages_broken=("nvidia-modprobe",)),
    checks=frozenset({"software.whole"}),
    names=frozenset({"nvidia-modprobe"}),
    needs="nvidia",
)
