"""Leaves and spines: rail-optimised (one leaf per adapter), fat-tree (always spines) and leaf-spine (a pair may do).

Leaves are sized for whole scalable units. Two leaves of a leaf-spine fabric are joined directly instead of through
spines: as many inter-switch links as hosts on one leaf, divided by the oversubscription. Planes, and rails that are
fabrics of their own, are built one after the other, each complete in itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rackwright.design.population import Machine, Unit
from rackwright.design.topology import clos, hosts, radix
from rackwright.design.topology.hosts import Group, HostLink
from rackwright.design.topology.network import UNSET, Member, Network
from rackwright.design.topology.shape import Shape, shape

Hung = list[tuple[Group, list[Member]]]
"""Groups of nodes with the leaves they hang on."""


@dataclass(frozen=True)
class Slice:
    """One plane, or one rail of a plane: a fabric that shares no switch with the others."""

    plane: int
    rail: int

    def of(self, links: Sequence[HostLink], rail_planes: bool) -> list[HostLink]:
        """The links of a node that belong to it."""
        return [one for one in links if one.plane == self.plane and (not rail_planes or one.rail == self.rail)]


def build(network: Network, units: Sequence[Unit], control: Sequence[Machine]) -> None:
    """Fills `network` with leaves, hosts, spines and cores."""
    if not units:
        return
    links = {unit.pool.name: hosts.links(network, unit) for unit in units}
    every = [one for found in links.values() for one in found]
    rail_planes = network.fabric.rail_planes
    slices = dict.fromkeys(Slice(one.plane, one.rail if rail_planes else UNSET) for one in every)
    plan = shape(network, max(one.gbps for one in every))
    for number, one in enumerate(sorted(slices, key=lambda one: (one.plane, one.rail))):
        mine = {pool: one.of(found, rail_planes) for pool, found in links.items()}
        _slice(network, units, control if number == 0 else (), mine, plan, one)


def _slice(
    network: Network,
    units: Sequence[Unit],
    control: Sequence[Machine],
    links: dict[str, list[HostLink]],
    plan: Shape,
    one: Slice,
) -> None:
    fill = hosts.pack if network.fabric.topology == "fat-tree" else hosts.spread
    hung: Hung = []
    for unit in units:
        wanted = links[unit.pool.name]
        if wanted:
            hung += [(group, fill(network, group, wanted, plan.leaf)) for group in hosts.groups(network, unit)]
    wanted_ports = sum(len(network.roster.ports[machine.id].of_role(network.fabric.role)) for machine in control)
    extra = 0
    if wanted_ports and hung:
        width = min(len(links[hung[0][0].unit.pool.name]), len(hung[0][1]))
        leaves = hosts.home(hung, wanted_ports, width, plan.leaf.down)
        hosts.attach(network, control, leaves, f"{units[-1].path}.count")
        extra = -(-wanted_ports // len(leaves))
    _upper(network, hung, plan, min(_fullest(hung, network, plan) + extra, plan.leaf.down), one)


def _fullest(hung: Hung, network: Network, plan: Shape) -> int:
    """Host ports in use on the leaf with most slots, absent ones included."""
    if network.fabric.topology == "fat-tree":
        return max(-(-group.size * len(hosts.links(network, group.unit)) // len(leaves)) for group, leaves in hung)
    return max(min(group.size, plan.leaf.down) for group, _ in hung)


def _upper(network: Network, hung: Hung, plan: Shape, slots: int, one: Slice) -> None:
    fabric = network.fabric
    up = plan.up(slots, fabric)
    leaves = [leaf for _, found in hung for leaf in found]
    upper = clos.Upper(plan.spine, plan.core, plan.gbps, plan.first_up, up, one.plane, one.rail)
    if fabric.topology == "leaf-spine" and len(leaves) == 2 and fabric.tiers is None:
        clos.join_pair(network, leaves, up, plan.gbps, plan.first_up)
        return
    if len(leaves) == 1 and fabric.tiers in (None, 1):
        return
    pods = _pods(network, hung, upper)
    counts = [len(pod) for pod in pods]
    spine_ports, core_ports = upper.radix(plan.spine), upper.radix(plan.core)
    found = radix.two_tiers(len(leaves), up, spine_ports) if fabric.tiers in (None, 2) else None
    if found:
        clos.raise_tiers(network, [leaves], found, upper)
        return
    found = radix.three_tiers(counts, up, spine_ports, core_ports) if fabric.tiers in (None, radix.MOST_TIERS) else None
    if not found:
        raise network.refuse(
            f"fabric {fabric.name} needs more than {_tiers(fabric.tiers)} of {plan.spine.sku}",
            f"at most {spine_ports * core_ports // 2} leaves",
            f"{len(leaves)} leaves",
            "use a switch with more ports, or split the site into several fabrics",
        )
    clos.raise_tiers(network, pods, found, upper)


def _tiers(declared: int | None) -> str:
    words = {1: "one tier", 2: "two tiers"}
    return words.get(declared or radix.MOST_TIERS, "three tiers")


def _pods(network: Network, hung: Hung, upper: clos.Upper) -> list[list[Member]]:
    """Leaves that share spines in a three-tier fabric.

    Leaves of racks: one pod per unit and rail, as published for rack-scale systems. Leaves of units: consecutive ones, as
    many as half the ports of a spine can reach.
    """
    leaves = [leaf for _, found in hung for leaf in found]
    if network.fabric.leaf_group == "rack":
        pods: dict[tuple[str, int, int], list[Member]] = {}
        for leaf in leaves:
            pods.setdefault((leaf.pool, leaf.unit, leaf.rail), []).append(leaf)
        return list(pods.values())
    sizes = radix.pods_of(len(leaves), upper.radix(upper.spine))
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    return [leaves[end - size : end] for size, end in zip(sizes, ends, strict=True)]
