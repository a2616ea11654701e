"""A cable between a leaf and a spine trained down to half of its rate."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import on_trunk

FAULT = Fault(
    name="leaf-cable-slow",
    summary="A cable between a leaf and a spine trained down to half of its rate",
    # The third cable of the first leaf of each node, at half of its rate.
    apply=on_trunk(2, lambda cable: replace(cable, gbps=200)),
    checks=frozenset({"fabric.trunk_rate"}),
    elsewhere=frozenset({"fabric.trunk_rate"}),
    refused=False,
    names=frozenset({"leaf-01"}),
)
