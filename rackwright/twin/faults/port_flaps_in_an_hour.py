"""A port lost its link some times within an hour, in a long uptime."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="port-flaps-in-an-hour",
    summary="A port lost its link some times within an hour, in a long uptime",
    apply=system(link_losses=(("enp170s0f0np0", 3),)),
    checks=frozenset({"kernel.link_flaps"}),
    names=frozenset({"enp170s0f0np0"}),
)
