"""A link trained down to half of its rate."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_cable

FAULT = Fault(
    name="link-slow",
    summary="A link trained down to half of its rate",
    apply=on_cable(lambda cable: replace(cable, gbps=200)),
    checks=frozenset({"link.rate", "fabric.link_rate"}),
    names=RAIL_NAMES,
    needs="infiniband",
)
