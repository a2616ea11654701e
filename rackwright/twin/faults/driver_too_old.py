"""A driver of an older branch is loaded."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="driver-too-old",
    summary="The loaded driver is too old for the declared CUDA",
    apply=system(driver="535.129.03"),
    checks=frozenset({"software.cuda", "software.driver"}),
    names=frozenset({"12.2", "535.129.03"}),
    needs="nvidia",
)
