"""Connects the slots of nodes to leaves.

`spread`: one leaf per rail, or per link where links have no rail (two links: a pair of leaves with every node on both).
`pack`: the links of a group fill the fewest leaves evenly, first links of all nodes first, so that the links of one node
end on different leaves.
`share`: all groups on common leaves, node by node.
Slots without a node have their ports reserved all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rackwright.design.population import ScalableUnit
from rackwright.design.ports import Ints, PortList
from rackwright.design.topology.network import UNSET, Bools, FabricSwitch, Network, Wires
from rackwright.model import lanes
from rackwright.model.sku import Switch


@dataclass(frozen=True)
class HostLink:
    """One link of every node of a pool into a fabric."""

    port: int
    """Index in the node's port list."""
    gbps: int
    """Highest rate that both ends support."""
    rail: int
    plane: int


@dataclass(frozen=True)
class NodeGroup:
    """Nodes that share leaves: consecutive machines of one pool."""

    unit: ScalableUnit
    """Scalable unit in whose racks the leaves stand."""
    rack: int
    """Rack of the unit, from 0; -1 when the whole unit shares its leaves."""
    first: int
    size: int
    present: Bools


@dataclass(frozen=True)
class Leaf:
    """A kind of leaf: SKU, ports, how many of them slots may fill (`down`), and how many may take hosts at all (`room`)."""

    part: Switch
    ports: PortList
    down: int
    room: int


class Hanging(NamedTuple):
    """Destination of the links of a group, one entry per link."""

    slot: Ints
    position: Ints
    """Which link of the node."""
    on: Ints
    """Leaf, counted within the group."""
    far: Ints
    """Port index on the leaf."""


def links(network: Network, unit: ScalableUnit) -> list[HostLink]:
    """The links of a node of `unit`, port by port; the ports of a rail, or their lanes, are dealt over the planes."""
    role, planes = network.fabric.role, network.fabric.planes
    listed = network.roster.ports[unit.machines[0].id]
    group = next((ports for ports in unit.server.ports if ports.role == role), None)
    indices = listed.of_role(role)
    dealt = sum(listed.ports[index].rail == listed.ports[indices[0]].rail for index in indices)
    slower = group.rates if group else []
    return [
        HostLink(
            index,
            lanes.agree(listed.ports[index].gbps, slower, network.switch.ports) or listed.ports[index].gbps,
            listed.ports[index].rail,
            (at % dealt) % planes if planes > 1 else UNSET,
        )
        for at, index in enumerate(indices)
    ]


def groups(network: Network, unit: ScalableUnit) -> Iterator[NodeGroup]:
    """The groups of `unit` whose nodes share leaves, as the fabric declares: the unit, or each of its racks."""
    size = len(unit.machines)
    per_group = unit.pool.servers_per_rack if network.fabric.leaf_group == "rack" else size
    present = np.array([machine.present for machine in unit.machines], dtype=np.bool_)
    for number, first in enumerate(range(0, size, per_group)):
        rack = number if network.fabric.leaf_group == "rack" else UNSET
        width = min(per_group, size - first)
        yield NodeGroup(unit, rack, unit.machines[first].id, width, present[first : first + width])


def spread(network: Network, group: NodeGroup, node_links: Sequence[HostLink], leaf: Leaf) -> list[FabricSwitch]:
    """Adds the leaves of `group` and the wires of its slots: per rail as many leaves as its links fill."""
    tracks = [link.rail if link.rail >= 0 else at for at, link in enumerate(node_links)]
    order = list(dict.fromkeys(tracks))
    track = np.array([order.index(link) for link in tracks], dtype=np.int32)
    turn = np.array([tracks[:at].count(link) for at, link in enumerate(tracks)], dtype=np.int32)
    deep = -(-group.size * (int(turn.max()) + 1) // leaf.down)
    firsts = [node_links[tracks.index(link)] for link in order]
    leaves = [_leaf(network, group, leaf, link) for _ in range(deep) for link in firsts]
    slot, position = np.indices((group.size, len(node_links)), dtype=np.int32).reshape(2, -1)
    index = turn[position] * group.size + slot
    on = (index // leaf.down) * len(order) + track[position]
    wire_hosts(network, group, node_links, leaves, Hanging(slot, position, on, index % leaf.down))
    return leaves


def packed(size: int, links_per_node: int, down: int) -> tuple[int, int]:
    """Leaves that `size` nodes with `links_per_node` links fill, and the links on the fullest of them."""
    count = -(-size * links_per_node // down)
    return count, -(-size * links_per_node // count)


def pack(network: Network, group: NodeGroup, node_links: Sequence[HostLink], leaf: Leaf) -> list[FabricSwitch]:
    """Adds the fewest leaves for all links of `group`, evenly filled, and the wires of its slots."""
    count, each = packed(group.size, len(node_links), leaf.down)
    anyone = replace(node_links[0], rail=node_links[0].rail if network.fabric.rail_planes else UNSET)
    leaves = [_leaf(network, group, leaf, anyone) for _ in range(count)]
    slot, position = np.indices((group.size, len(node_links)), dtype=np.int32).reshape(2, -1)
    order = position * group.size + slot
    wire_hosts(network, group, node_links, leaves, Hanging(slot, position, order // each, order % each))
    return leaves


def share(
    network: Network, hanging: Sequence[tuple[NodeGroup, Sequence[HostLink]]], leaf: Leaf, beside: int
) -> list[FabricSwitch]:
    """Adds leaves that all groups of `hanging` share, with room for `beside` further ports, and the wires of their slots.

    As many leaves in parallel as a node has links (in a fat-tree no more than the links fill), filled one after the other: a node that is added
    last moves no cable.
    """
    total = beside + sum(group.size * len(node_links) for group, node_links in hanging)
    width = max(len(node_links) for _, node_links in hanging)
    if network.fabric.topology == "fat-tree":
        width = min(width, -(-total // leaf.down))
    deep = -(-total // (width * leaf.down))
    first = hanging[0][1][0]
    rail = first.rail if network.fabric.rail_planes else UNSET
    leaves = [
        opened(network, network.add("leaf", leaf.part, leaf.ports, plane=first.plane, rail=rail), leaf)
        for _ in range(width * deep)
    ]
    deal(network, hanging, leaves, width, leaf.down)
    return leaves


def deal(
    network: Network,
    hanging: Sequence[tuple[NodeGroup, Sequence[HostLink]]],
    leaves: Sequence[FabricSwitch],
    width: int,
    down: int,
) -> None:
    """Adds the wires of the groups of `hanging`, node by node.

    Links are dealt over `width` leaves until each has `down`, then over the next `width`.
    """
    before = 0
    for group, node_links in hanging:
        slot, position = np.indices((group.size, len(node_links)), dtype=np.int32).reshape(2, -1)
        turn = before + slot * len(node_links) + position
        on, far = turn // width // down * width + turn % width, turn // width % down
        wire_hosts(network, group, node_links, leaves, Hanging(slot, position, on, far))
        before += group.size * len(node_links)


def _leaf(network: Network, group: NodeGroup, leaf: Leaf, link: HostLink) -> FabricSwitch:
    pool, unit = group.unit.pool.name, group.unit.number
    member = network.add(
        "leaf", leaf.part, leaf.ports, pool=pool, unit=unit, plane=link.plane, rail=link.rail, rack=group.rack
    )
    return opened(network, member, leaf)


def opened(network: Network, member: FabricSwitch, leaf: Leaf) -> FabricSwitch:
    """`member`, registered as a switch that takes hosts on its first ports."""
    network.occupied[member.id] = np.zeros(leaf.room, dtype=np.bool_)
    network.slots[member.id] = np.zeros(leaf.room, dtype=np.bool_)
    return member


def wire_hosts(
    network: Network, group: NodeGroup, node_links: Sequence[HostLink], leaves: Sequence[FabricSwitch], where: Hanging
) -> None:
    """Adds the wires of the slots of `group`, and marks the host ports of `leaves` that they fill."""
    ids = np.array([leaf.id for leaf in leaves], dtype=np.int32)
    present = group.present[where.slot]
    near = np.array([link.port for link in node_links], dtype=np.int32)[where.position]
    rail = np.array([link.rail for link in node_links], dtype=np.int32)[where.position]
    first = node_links[0]
    device = (group.first + where.slot).astype(np.int32)
    network.wires.append(
        Wires("node_leaf", first.gbps, device, near, ids[where.on], where.far, present, rail, first.plane)
    )
    shape = (len(leaves), len(network.occupied[leaves[0].id]))
    for port_flags, which in ((network.occupied, present), (network.slots, np.ones(len(present), dtype=np.bool_))):
        used = np.zeros(shape, dtype=np.bool_)
        used[where.on[which], where.far[which]] = True
        for row, leaf in zip(used, leaves, strict=True):
            port_flags[leaf.id] |= row
