"""Dragonfly: groups of a routers, fully meshed, each with p hosts and h links to other groups.

Balanced a = 2p = 2h needs a radix of ``4h - 1`` and reaches ``a * h + 1 = 2h^2 + 1`` groups, so ``4h^4 + 2h^2`` hosts (Kim,
Dally, Scott, Abts: Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008). An oversubscription o gives o times
as many hosts per global link. The global links of a group are spread evenly over the other groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.topology import dragonfly_groups, pairs, spare_ports
from rackwright.design.topology.network import FabricSwitch, Network
from rackwright.design.topology.radix import ratio
from rackwright.design.topology.shape import LeafShape, face, fits, link_gbps
from rackwright.design.topology.slices import Slice, slices
from rackwright.model.fabric import DragonflyShape


@dataclass(frozen=True)
class Balance:
    """Routers of a group, hosts of a router, and its global links."""

    routers: int
    hosts: int
    links: int


def build(network: Network, units: Sequence[ScalableUnit], control: Sequence[MachineSlot]) -> None:
    """Fills `network` with groups of routers and the links within and between them."""
    for slice_ in slices(network, units, control):
        balanced = balance(network, units, slice_)
        plan = face(network, slice_.gbps, balanced.routers - 1 + balanced.links)
        leaf = replace(plan.leaf, down=balanced.hosts)
        hung = dragonfly_groups.wire_groups(network, units, slice_, leaf, balanced.routers)
        spare_ports.occupy(network, hung, slice_, balanced.routers, f"{units[-1].path}.count")
        _join(network, [routers for _, routers in hung], balanced, plan)


def _join(network: Network, groups: Sequence[Sequence[FabricSwitch]], balanced: Balance, plan: LeafShape) -> None:
    if balanced.routers > 1:
        network.wires.append(pairs.mesh(groups, 1, plan.first_up, plan.gbps, "isl"))
    links = dragonfly_groups.links(network, len(groups), balanced.routers * balanced.links)
    if links:
        network.wires.append(pairs.links_between_groups(groups, links, plan.first_up + balanced.routers - 1, plan.gbps))


def balance(network: Network, units: Sequence[ScalableUnit], slice_: Slice) -> Balance:
    """The sizes of `network`: as declared, the others balanced, as large as the radix allows.

    Where balanced global links do not reach every group, more are used as long as ports are free.
    """
    declared, switch = network.fabric.dragonfly or DragonflyShape(), network.switch
    per_link = ratio(network.fabric.oversubscription) * link_gbps(network, slice_.gbps) / slice_.gbps
    for links in range(switch.ports.count, 0, -1):
        hosts = declared.hosts_per_switch or max(1, int(links * per_link))
        routers = declared.switches_per_group or 2 * links
        balanced = math.ceil(hosts / per_link) if declared.hosts_per_switch else routers // 2
        count = dragonfly_groups.count(network, units, slice_, routers, hosts)
        needed = -(-(declared.global_links or 1) * (count - 1) // routers)
        global_links = max(min(links, max(balanced, 1)), needed)
        if fits(network, slice_.gbps, hosts, routers - 1 + global_links):
            return Balance(routers, hosts, global_links)
    raise network.unconnected(
        f"{switch.sku} has too few ports for the Dragonfly of fabric {network.fabric.name}",
        "a router with its hosts, a link to every other of its group, and its share of links to all other groups",
        f"{declared.hosts_per_switch or 'balanced'} hosts and {declared.switches_per_group or 'balanced'} routers "
        f"on {switch.ports.count} ports of {switch.ports.gbps} Gb/s",
        "change switches_per_group or hosts_per_switch, or leave them out to have them balanced",
    )
