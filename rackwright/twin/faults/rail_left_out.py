"""The collective library leaves one rail out."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="rail-left-out",
    summary="The collective library leaves one rail out",
    apply=harm.rail(7, used=False),
    checks=frozenset({"collective.path_across"}),
    names=frozenset({"{compute[7]}"}),
)
