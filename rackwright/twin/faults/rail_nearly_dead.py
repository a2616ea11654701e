"""One rail of a node retransmits nearly everything."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="rail-nearly-dead",
    summary="One rail of a node retransmits nearly everything",
    apply=harm.rail(0, bandwidth=0.05, latency=6.0),
    checks=frozenset({"rail.bandwidth", "rail.latency"}),
    names=frozenset({"{compute[0]}"}),
    elsewhere=frozenset({"peers.rail_bandwidth"}),
)
