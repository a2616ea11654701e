"""How the ports of a leaf are used: how many take hosts, how many lead to other switches, and at which rates.

Hosts have the first ports and links between switches the last. A cage with its one transceiver is never shared by both (NVIDIA
enterprise-ras, test_fabric_optic_integrity: a cage carries all of its sub-links in one way).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from rackwright.design import ports
from rackwright.design.topology import radix
from rackwright.design.topology.hosts import Leaf
from rackwright.design.topology.network import Network
from rackwright.model import lanes
from rackwright.model.fabric import Fabric
from rackwright.model.sku import PortGroup, Switch

ALONE = "fat-tree"
"""Packs its hosts: with one tier it is one switch, and every port may take a host."""


@dataclass(frozen=True)
class LeafShape:
    """The leaves of a fabric, and the switches above them."""

    leaf: Leaf
    host_gbps: int
    gbps: int
    """Rate of a link between switches."""
    first_up: int
    """Index of the first port that leads to a switch."""
    room_up: int
    """Ports that may lead to switches."""
    spine: Switch
    core: Switch
    guest_up: int = 0
    """Uplinks that the links of guests need."""

    def up(self, hosts: int, fabric: Fabric) -> int:
        """Uplinks of a leaf with `hosts` hosts: as declared, else as many as the hosts need at the oversubscription.

        Ports that can only lead up, as on a scheduled leaf, are all used.
        """
        if self.leaf.part.uplinks:
            return self.room_up
        needed = radix.uplinks(hosts, fabric.oversubscription, self.host_gbps, self.gbps) + self.guest_up
        return fabric.leaf_up or min(self.room_up, needed)


@dataclass(frozen=True)
class SwitchFace:
    """The ports of a switch as two runs, in units of a port, or of a lane where both runs are split alike."""

    switch: Switch
    down_lanes: int
    up_lanes: int
    guest_runs: tuple[tuple[int, int], ...] = ()
    """Ports after these two runs that belong to guests."""

    @property
    def count(self) -> int:
        """Ports of the two runs."""
        return self.switch.ports.count - sum(count for count, _ in self.guest_runs)

    @property
    def alike(self) -> bool:
        """True when any port can serve either way."""
        return self.down_lanes == self.up_lanes

    @property
    def total(self) -> int:
        """Units in all."""
        return self.count * (self.down_lanes if self.alike else 1)

    @property
    def cage(self) -> int:
        """Units that share a transceiver."""
        return self.switch.ports.per_cage * (self.down_lanes if self.alike else 1)

    def hosts(self, units: int) -> int:
        """Number of host ports in `units` units."""
        return units if self.alike else units * self.down_lanes

    def links(self, units: int) -> int:
        """Number of links to switches in `units` units."""
        return units if self.alike else units * self.up_lanes

    def for_hosts(self, hosts: int) -> int:
        """Units that `hosts` host ports take."""
        return hosts if self.alike else -(-hosts // self.down_lanes)

    def for_links(self, links: int) -> int:
        """Units that `links` links take."""
        return links if self.alike else -(-links // self.up_lanes)

    def ports(self, start: int) -> ports.PortList:
        """The ports of the switch when the units from `start` on lead to switches."""
        count = self.count
        runs = [(count, self.down_lanes)] if self.alike else [(start, self.down_lanes), (count - start, self.up_lanes)]
        return ports.of_switch(self.switch, [*runs, *self.guest_runs])


def shape(network: Network, host_gbps: int) -> LeafShape:
    """The shape of `network` for host links of `host_gbps`, as declared or as its oversubscription requires."""
    switch, fabric = network.switch, network.fabric
    gbps = link_gbps(network, host_gbps)
    if switch.uplinks:
        return _scheduled(network, switch.uplinks, host_gbps, gbps)
    face = _face(network, host_gbps, gbps)
    if fabric.tiers == 1 and fabric.topology == ALONE:
        every = face.hosts(face.total)
        leaf = Leaf(switch, face.ports(face.total), min(fabric.leaf_down or every, every), every)
        return LeafShape(leaf, host_gbps, gbps, every, 0, network.spine, network.core)
    down, start = _split(network, face, host_gbps, gbps)
    room = face.links(face.total - start)
    if room < (fabric.leaf_up or 1) or down < 1:
        raise network.refuse(
            f"a leaf of fabric {fabric.name} has fewer ports than leaf_down and leaf_up ask for",
            f"{_counted(max(down, 1), 'host port')} and {_counted(fabric.leaf_up or 1, 'uplink')} of {gbps} Gb/s",
            f"{switch.sku} with {switch.ports.count} ports of {switch.ports.gbps} Gb/s",
            "lower leaf_down or leaf_up, or choose a switch with more ports",
        )
    leaf = Leaf(switch, face.ports(start), down, down)
    guest_up = _guest_uplinks(network, gbps)
    return LeafShape(leaf, host_gbps, gbps, face.hosts(start), room, network.spine, network.core, guest_up)


def _face(network: Network, host_gbps: int, gbps: int) -> SwitchFace:
    down_lanes, up_lanes = (lanes_of(network.switch, rate) for rate in (host_gbps, gbps))
    return SwitchFace(network.switch, down_lanes, up_lanes, network.guest_runs)


def _guest_uplinks(network: Network, gbps: int) -> int:
    """Uplinks of `gbps` that the guests on the fullest leaf need at the oversubscription."""
    load = network.guest_gbps
    return radix.uplinks(load, network.fabric.oversubscription, 1, gbps) if load else 0


def _scheduled(network: Network, uplinks: PortGroup, host_gbps: int, gbps: int) -> LeafShape:
    """The shape of a leaf whose `uplinks` are ports of their own, each split into links of `gbps`."""
    switch, fabric = network.switch, network.fabric
    split, up_lanes = lanes_of(switch, host_gbps), lanes.lanes(uplinks, gbps)
    down = switch.ports.count * split
    listed = ports.of_switch(switch, [(switch.ports.count, split)], up_lanes)
    leaf = Leaf(switch, listed, min(fabric.leaf_down or down, down), down)
    return LeafShape(leaf, host_gbps, gbps, down, uplinks.count * up_lanes, network.spine, network.core)


def reaching(network: Network, plan: LeafShape, leaves: int) -> LeafShape:
    """`plan` with its uplinks split just enough for each of `leaves` leaves to reach every spine of two tiers.

    A leaf of a scheduled fabric uses all of its fabric ports: 20 of 800 Gb/s lead to 40 fabric elements at 400 Gb/s. `plan` itself if the rate is
    declared, if the leaf has no separate uplink ports, and if no split is enough.
    """
    uplinks = network.switch.uplinks
    if uplinks is None or network.fabric.link_gbps:
        return plan
    for gbps in lanes.speeds(uplinks):
        split, spine_split = lanes.lanes(uplinks, gbps), lanes.lanes(network.spine.ports, gbps)
        spine_ports = network.spine.ports.count * spine_split
        if spine_ports and radix.two_tiers(leaves, uplinks.count * split, spine_ports, network.fabric.least_spines):
            return _scheduled(network, uplinks, plan.host_gbps, gbps)
    return plan


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _split(network: Network, face: SwitchFace, host_gbps: int, gbps: int) -> tuple[int, int]:
    """(host ports of a leaf, unit at which its uplinks start); uplinks start in a new cage if there is room."""
    fabric = network.fabric
    rates = (host_gbps, gbps) if face.alike else (face.down_lanes * host_gbps, face.up_lanes * gbps)
    guest_up = _guest_uplinks(network, gbps)
    units, _ = radix.split(face.total - face.for_links(guest_up), fabric.oversubscription, *rates)
    if fabric.leaf_up:
        needed = face.for_links(fabric.leaf_up)
        most = int(needed * radix.ratio(fabric.oversubscription) * rates[1] / rates[0])
        units = min(max(most, 1), face.total - needed)
    if fabric.leaf_down:
        units = face.for_hosts(fabric.leaf_down)
    down = fabric.leaf_down or face.hosts(units)
    uplinks = fabric.leaf_up or radix.uplinks(down, fabric.oversubscription, host_gbps, gbps) + guest_up
    start = -(-units // face.cage) * face.cage
    if face.total - start < face.for_links(uplinks):
        start = units
        if not fabric.leaf_down and units >= face.cage:
            start = units - units % face.cage
            down = face.hosts(start)
    if fabric.leaf_down:
        half = face.total - face.total // 2
        start = max(start, min(half, (face.total - face.for_links(uplinks)) // face.cage * face.cage))
    return down, start


def face(network: Network, host_gbps: int, links: int) -> LeafShape:
    """The shape of a leaf with exactly `links` links to other switches; all its other ports may take hosts."""
    switch, gbps = network.switch, link_gbps(network, host_gbps)
    face_ports = _face(network, host_gbps, gbps)
    start = (face_ports.total - face_ports.for_links(links)) // face_ports.cage * face_ports.cage
    down = face_ports.hosts(start)
    leaf = Leaf(switch, face_ports.ports(max(start, 0)), down, down)
    return LeafShape(
        leaf, host_gbps, gbps, down, face_ports.links(face_ports.total - start), network.spine, network.core
    )


def link_gbps(network: Network, host_gbps: int) -> int:
    """Rate of a link between switches: as declared, else that of the host links, else the best that all switches run.

    A leaf port that hosts run unsplit but slower leads up at its full rate, and so does one of a switch of InfiniBand that could not number
    the lanes of all its ports.
    """
    if network.fabric.link_gbps:
        return network.fabric.link_gbps
    if network.switch.uplinks:
        return network.switch.uplinks.gbps
    three = (network.switch, network.spine, network.core)
    unsplit = host_gbps * lanes_of(network.switch, host_gbps) != network.switch.ports.gbps
    usual = network.switch.ports.gbps if unsplit or _too_many_lanes(network, host_gbps) else host_gbps
    if all(lanes.lanes(switch.ports, usual) for switch in three):
        return usual
    both = set.intersection(*(set(lanes.speeds(switch.ports)) for switch in three))
    return max(both, default=min(switch.ports.gbps for switch in three))


def _too_many_lanes(network: Network, gbps: int) -> bool:
    every = network.switch.ports.count * lanes_of(network.switch, gbps)
    return network.fabric.transport == "infiniband" and every > lanes.INFINIBAND_PORTS


def lanes_of(switch: Switch, gbps: int) -> int:
    """Number of links of `gbps` into which a port is split; 1 when it runs unsplit, perhaps slower than it could."""
    return lanes.lanes(switch.ports, gbps) or 1


def fits(network: Network, host_gbps: int, hosts: int, links: int) -> bool:
    """True when a leaf has room for so many host ports and links to other switches."""
    face_ports = _face(network, host_gbps, link_gbps(network, host_gbps))
    start = (face_ports.total - face_ports.for_links(links)) // face_ports.cage * face_ports.cage
    return face_ports.hosts(start) >= hosts


def shares(network: Network, host_gbps: int, hosts: int, ways: int = 1) -> int:
    """Links that carry the load of `hosts` hosts at the declared oversubscription, divided over `ways` directions."""
    load = Fraction(hosts * host_gbps, link_gbps(network, host_gbps)) / radix.ratio(network.fabric.oversubscription)
    return max(1, math.ceil(load / ways))
