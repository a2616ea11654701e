"""Dragonfly+: groups are leaf-spine fabrics of equally many leaves and spines, and spines join the groups.

In a group every leaf has equally many links to every spine; the remaining ports of a spine lead to other groups, evenly:
``C(g, 2) * links`` global links in all (Shpiner et al.: Dragonfly+: Low Cost Topology for Scaling Datacenters, HiPINEB 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.topology import clos, dragonfly_groups, pairs, spare_ports
from rackwright.design.topology.hosts import NodeGroup
from rackwright.design.topology.network import FabricSwitch, Network
from rackwright.design.topology.shape import LeafShape, shape
from rackwright.design.topology.slices import Slice, slices
from rackwright.model.fabric import DragonflyShape


@dataclass(frozen=True)
class Cohort:
    """Leaves of a group, which has as many spines; hosts and uplinks of a leaf; global links of a spine."""

    leaves: int
    hosts: int
    up: int
    links: int


def build(network: Network, units: Sequence[ScalableUnit], control: Sequence[MachineSlot]) -> None:
    """Fills `network` with groups of leaves and spines and the links within and between them."""
    for slice_ in slices(network, units, control):
        plan = shape(network, slice_.gbps)
        cohort = _cohort(network, units, slice_, plan)
        hung = dragonfly_groups.wire_groups(
            network, units, slice_, replace(plan.leaf, down=cohort.hosts), cohort.leaves
        )
        spare_ports.occupy(network, hung, slice_, cohort.leaves, f"{units[-1].path}.count")
        upper = clos.Upper(plan.spine, plan.core, plan.gbps, plan.first_up, cohort.up, slice_.plane, slice_.rail)
        groups = [_spines(network, group, leaves, upper, cohort) for group, leaves in hung]
        links = dragonfly_groups.links(network, len(groups), cohort.leaves * cohort.links)
        if links:
            network.wires.append(pairs.links_between_groups(groups, links, cohort.up, plan.gbps))


def _spines(
    network: Network, group: NodeGroup, leaves: Sequence[FabricSwitch], upper: clos.Upper, cohort: Cohort
) -> list[FabricSwitch]:
    """Adds the spines of a group; their first ports lead down."""
    listed, pool, unit = upper.ports(upper.spine), group.unit.pool.name, group.unit.number
    spines = [
        network.add("spine", upper.spine, listed, pool=pool, unit=unit, plane=upper.plane, rail=upper.rail)
        for _ in range(cohort.leaves)
    ]
    network.wires.append(clos.join("leaf_spine", leaves, spines, upper))
    return spines


def _cohort(network: Network, units: Sequence[ScalableUnit], slice_: Slice, plan: LeafShape) -> Cohort:
    """The sizes of a group: as declared, else as large as a leaf's uplinks reach.

    Every leaf spreads its uplinks over all spines of its group, so the number of uplinks is rounded up to a multiple of the spines; a spine has
    as many links down as a leaf has up. It uses as many of its other ports for other groups as it has links down, and more where some group
    would not be reached.
    """
    declared = network.fabric.dragonfly or DragonflyShape()
    hosts = min(declared.hosts_per_switch or plan.leaf.down, plan.leaf.down)
    leaves = declared.switches_per_group or plan.up(hosts, network.fabric)
    up = -(-plan.up(hosts, network.fabric) // leaves) * leaves
    upper = clos.Upper(plan.spine, plan.core, plan.gbps, plan.first_up, up)
    remaining = upper.radix(plan.spine) - up
    if up > plan.room_up or remaining < 0:
        raise network.refuse(
            f"the leaves of a group of fabric {network.fabric.name} do not reach its spines evenly",
            f"a multiple of {leaves} uplinks, one or more to every spine of the group",
            f"{plan.room_up} ports of a leaf may lead up, {upper.radix(plan.spine)} of a spine down",
            f"set switches_per_group to a divisor of {plan.room_up}",
            f"{network.path}.dragonfly" if network.fabric.dragonfly else "",
        )
    groups = dragonfly_groups.count(network, units, slice_, leaves, hosts)
    needed = -(-(declared.global_links or 1) * (groups - 1) // leaves)
    return Cohort(leaves, hosts, up, min(max(min(remaining, up), needed), remaining))
