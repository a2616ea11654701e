"""Traffic of a rail leaves through the port of its neighbour."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="rail-through-another-port",
    summary="Traffic of a rail leaves through the port of its neighbour (bonded ports, or a wrong route)",
    apply=harm.rail(2, through=3),
    checks=frozenset({"rail.port", "rail.latency_port", "collective.ports"}),
    names=frozenset({"{compute[2]}"}),
)
