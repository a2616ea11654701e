"""One rail of a node answers four times too late."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="rail-late",
    summary="One rail of a node answers four times too late",
    apply=harm.rail(2, latency=4.0),
    checks=frozenset({"rail.latency"}),
    names=frozenset({"{compute[2]}"}),
)
