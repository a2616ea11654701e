"""Leaves and spines: rail-optimised (one leaf per rail), fat-tree (packed, always spines), leaf-spine (a pair may do).

Leaves are sized for whole scalable units. Two leaves of a leaf-spine fabric are joined directly instead of through
spines: as many inter-switch links as hosts on one leaf, divided by the oversubscription. Planes, and rails that are
fabrics of their own, are built one after the other, each complete in itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.design.population import Machine, Unit
from rackwright.design.topology import hosts, spare, tiers
from rackwright.design.topology.network import Network
from rackwright.design.topology.shape import shape
from rackwright.design.topology.slices import slices

PACKED = ("fat-tree", "scheduled")
"""Topologies that fill leaves without regard to rails."""


def build(network: Network, units: Sequence[Unit], control: Sequence[Machine]) -> None:
    """Fills `network` with leaves, hosts, spines and cores."""
    fill = hosts.pack if network.fabric.topology in PACKED else hosts.spread
    for one in slices(network, units, control):
        plan = shape(network, one.gbps)
        hung: spare.Hung = []
        for unit in units:
            wanted = one.links[unit.pool.name]
            if wanted:
                hung += [(group, fill(network, group, wanted, plan.leaf)) for group in hosts.groups(network, unit)]
        width = min(len(one.links[hung[0][0].unit.pool.name]), len(hung[0][1]))
        spare.occupy(network, hung, one, width, f"{units[-1].path}.count")
        tiers.climb(network, hung, plan, one)
