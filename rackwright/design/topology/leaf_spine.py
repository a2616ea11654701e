"""Leaves and spines: rail-optimised (one leaf per rail), fat-tree (packed, always spines), leaf-spine (may be a pair of leaves).

Leaves are sized for whole scalable units, or shared by all of them (``leaf_group: site``). Two leaves of a leaf-spine fabric are joined directly instead of through spines: as many
inter-switch links as hosts on one leaf, divided by the oversubscription. Planes, and rails that are fabrics of their own, are built one
after the other, each complete in itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.topology import hosts, spare_ports, tiers
from rackwright.design.topology.network import Network
from rackwright.design.topology.shape import reaching, shape
from rackwright.design.topology.slices import slices

PACKED = ("fat-tree", "scheduled")
"""Topologies that fill leaves without regard to rails."""


def build(network: Network, units: Sequence[ScalableUnit], control: Sequence[MachineSlot]) -> None:
    """Fills `network` with leaves, hosts, spines and cores."""
    fill = hosts.pack if network.fabric.topology in PACKED else hosts.spread
    for slice_ in slices(network, units, control):
        plan = shape(network, slice_.gbps)
        hanging = [
            (group, slice_.links[unit.pool.name])
            for unit in units
            if slice_.links[unit.pool.name]
            for group in hosts.groups(network, unit)
        ]
        leaves = sum(hosts.packed(group.size, len(node_links), plan.leaf.down)[0] for group, node_links in hanging)
        plan = reaching(network, plan, leaves)
        if network.fabric.leaf_group == "site":
            beside = len(slice_.control) + sum(slice_.part(count) for _, count in network.fabric.reserved)
            hung: spare_ports.Hung = [(hanging[0][0], hosts.share(network, hanging, plan.leaf, beside))]
        else:
            hung = [(group, fill(network, group, node_links, plan.leaf)) for group, node_links in hanging]
        width = min(len(slice_.links[hung[0][0].unit.pool.name]), len(hung[0][1]))
        spare_ports.occupy(network, hung, slice_, width, f"{units[-1].path}.count")
        tiers.climb(network, hung, plan, slice_)
