"""A cable between a leaf and a spine loses packets, and both of its ends report a link at full rate."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import on_trunk

LEFT = 0.6
"""Share that is left of a flow which is spread over it with others."""


FAULT = Fault(
    name="leaf-cable-lossy",
    summary="A cable between a leaf and a spine loses packets although its link is up at full rate",
    apply=on_trunk(3, lambda cable: replace(cable, left=LEFT)),  # the fourth cable of the first leaf of each node
    between=True,
    elsewhere=frozenset({"collective.across_nodes", "rail.bandwidth", "peers.rail_bandwidth"}),
    refused=False,
    needs="infiniband",
)
