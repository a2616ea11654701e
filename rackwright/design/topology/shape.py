"""How the ports of a leaf are used: how many take hosts, how many lead up, and at which rates.

In: a fabric, its switches and the rate of its host links. Out: a `Shape`. Cut from the wiring because it is the part
that the site file can overrule.
"""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.design import ports
from rackwright.design.topology import radix
from rackwright.design.topology.clos import lanes_of
from rackwright.design.topology.hosts import Leaf
from rackwright.design.topology.network import Network
from rackwright.model.fabric import Fabric
from rackwright.model.sku import Switch


@dataclass(frozen=True)
class Shape:
    """The leaves of a fabric, and what stands above them."""

    leaf: Leaf
    host_gbps: int
    gbps: int
    """Rate of a link between switches."""
    first_up: int
    """Index of the first port that leads up."""
    room_up: int
    """Ports that may lead up."""
    spine: Switch
    core: Switch

    def up(self, hosts: int, fabric: Fabric) -> int:
        """Uplinks of a leaf with `hosts` hosts: as declared, else what the hosts need at the oversubscription.

        Ports that only lead up, as those of a scheduled leaf, are all used.
        """
        if self.leaf.part.uplinks:
            return self.room_up
        return fabric.leaf_up or min(
            self.room_up, radix.uplinks(hosts, fabric.oversubscription, self.host_gbps, self.gbps)
        )


def shape(network: Network, host_gbps: int) -> Shape:
    """The shape of `network` for host links of `host_gbps`."""
    switch, fabric = network.switch, network.fabric
    down_lanes = lanes_of(switch, host_gbps)
    spine, core = network.spine, network.core
    if switch.uplinks:
        listed = ports.of_switch(switch, [(switch.ports.count, down_lanes)])
        down = switch.ports.count * down_lanes
        leaf = Leaf(switch, listed, min(fabric.leaf_down or down, down))
        return Shape(leaf, host_gbps, switch.uplinks.gbps, down, switch.uplinks.count, spine, core)
    whole = host_gbps * down_lanes != switch.ports.gbps
    gbps = fabric.link_gbps or (switch.ports.gbps if whole else host_gbps)
    up_lanes = lanes_of(switch, gbps)
    down_ports, up_ports = radix.split(
        switch.ports.count if down_lanes != up_lanes else switch.ports.count * down_lanes,
        fabric.oversubscription,
        *((down_lanes * host_gbps, up_lanes * gbps) if down_lanes != up_lanes else (host_gbps, gbps)),
    )
    if down_lanes == up_lanes:
        return _even(network, host_gbps, gbps, down_lanes, down_ports)
    down, room = down_ports * down_lanes, up_ports * up_lanes
    listed = ports.of_switch(switch, [(down_ports, down_lanes), (up_ports, up_lanes)])
    leaf = Leaf(switch, listed, min(fabric.leaf_down or down, down))
    return Shape(leaf, host_gbps, gbps, down, room, spine, core)


def _even(network: Network, host_gbps: int, gbps: int, lanes: int, down: int) -> Shape:
    """Every port of the leaf is split alike, so that any of them may take a host or lead up."""
    switch, fabric = network.switch, network.fabric
    total = switch.ports.count * lanes
    down = min(fabric.leaf_down or down, total - 1)
    listed = ports.of_switch(switch, [(switch.ports.count, lanes)])
    first = max(down, total - total // 2) if fabric.leaf_down else down
    first = min(first, total - (fabric.leaf_up or 0)) if fabric.leaf_up else first
    return Shape(Leaf(switch, listed, down), host_gbps, gbps, first, total - first, network.spine, network.core)
