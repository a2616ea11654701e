"""One rail cannot reach GPU memory and copies through the host."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="rail-without-gpudirect",
    summary="One rail cannot reach GPU memory and copies through the host",
    apply=harm.rail(3, gpudirect=False),
    checks=frozenset({"rail.gpudirect"}),
    names=frozenset({"{compute[3]}"}),
)
