"""One rail of a node sends at half of its rate."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="rail-slow",
    summary="One rail of a node sends at half of its rate",
    apply=harm.rail(4, bandwidth=0.5),
    checks=frozenset({"rail.bandwidth"}),
    names=frozenset({"{compute[4]}"}),
    elsewhere=frozenset({"peers.rail_bandwidth"}),
)
