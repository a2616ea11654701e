"""Hangs hosts on leaves: node slots first, then control servers on the ports that are left.

`spread`: link p of a node in slot s goes to leaf p of its group, port s. With one leaf per adapter that is
rail-optimised; with two ports it is a pair of leaves with every node on both. `pack`: the links of a group fill the
fewest leaves evenly, first links of all nodes first, so that the links of one node end on different leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rackwright.design.population import Machine, Unit
from rackwright.design.ports import Ints, PortList
from rackwright.design.topology.network import UNSET, Bools, Member, Network, Wires
from rackwright.model.sku import Switch


@dataclass(frozen=True)
class HostLink:
    """One link of every node of a pool into a fabric."""

    port: int
    """Index in the node's port list."""
    gbps: int
    rail: int
    plane: int


@dataclass(frozen=True)
class Group:
    """Nodes that share leaves: consecutive machines of one unit."""

    unit: Unit
    rack: int
    """Rack of the unit, from 0; -1 when the whole unit shares its leaves."""
    first: int
    size: int
    present: Bools


@dataclass(frozen=True)
class Leaf:
    """What leaves are made of: SKU, ports, and how many of them take hosts."""

    part: Switch
    ports: PortList
    down: int


class Hanging(NamedTuple):
    """Where the links of a group go, one entry per link."""

    slot: Ints
    position: Ints
    """Which link of the node."""
    on: Ints
    """Leaf, counted within the group."""
    far: Ints
    """Port index on the leaf."""


def links(network: Network, unit: Unit) -> list[HostLink]:
    """The links of a node of `unit`, port by port; the ports of a rail, or their lanes, are dealt over the planes."""
    role, planes = network.fabric.role, network.fabric.planes
    ports = network.roster.ports[unit.machines[0].id]
    per_rail = next((group.per_rail for group in unit.server.ports if group.role == role), 1)
    found = []
    for at, index in enumerate(ports.of_role(role)):
        port = ports.ports[index]
        lane = max(port.lane, 0)
        of_rail = (at % per_rail) if port.lane < 0 else lane
        plane = of_rail % planes if planes > 1 else UNSET
        found.append(HostLink(index, port.gbps, port.rail, plane))
    return found


def groups(network: Network, unit: Unit) -> Iterator[Group]:
    """The groups of `unit` whose nodes share leaves, as the fabric declares: the unit, or each of its racks."""
    size = len(unit.machines)
    per_group = unit.pool.servers_per_rack if network.fabric.leaf_group == "rack" else size
    present = np.array([machine.present for machine in unit.machines], dtype=np.bool_)
    for number, first in enumerate(range(0, size, per_group)):
        rack = number if network.fabric.leaf_group == "rack" else UNSET
        width = min(per_group, size - first)
        yield Group(unit, rack, unit.machines[first].id, width, present[first : first + width])


def spread(network: Network, group: Group, wanted: Sequence[HostLink], leaf: Leaf) -> list[Member]:
    """Adds the leaves of `group` and the wires of its slots: one leaf per link and `leaf.down` slots."""
    width, count = len(wanted), -(-group.size // leaf.down)
    leaves = [_leaf(network, group, leaf, one) for _ in range(count) for one in wanted]
    slot, position = np.indices((group.size, width), dtype=np.int32).reshape(2, -1)
    _hang(
        network,
        group,
        wanted,
        leaves,
        Hanging(slot, position, (slot // leaf.down) * width + position, slot % leaf.down),
    )
    return leaves


def pack(network: Network, group: Group, wanted: Sequence[HostLink], leaf: Leaf) -> list[Member]:
    """Adds the fewest leaves for all links of `group`, evenly filled, and the wires of its slots."""
    total = group.size * len(wanted)
    count = -(-total // leaf.down)
    each = -(-total // count)
    leaves = [_leaf(network, group, leaf, HostLink(0, 0, UNSET, wanted[0].plane)) for _ in range(count)]
    slot, position = np.indices((group.size, len(wanted)), dtype=np.int32).reshape(2, -1)
    order = position * group.size + slot
    _hang(network, group, wanted, leaves, Hanging(slot, position, order // each, order % each))
    return leaves


def _leaf(network: Network, group: Group, leaf: Leaf, link: HostLink) -> Member:
    pool, unit = group.unit.pool.name, group.unit.number
    member = network.add(
        "leaf", leaf.part, leaf.ports, pool=pool, unit=unit, plane=link.plane, rail=link.rail, rack=group.rack
    )
    network.taken[member.id] = np.zeros(leaf.down, dtype=np.bool_)
    return member


def _hang(network: Network, group: Group, wanted: Sequence[HostLink], leaves: Sequence[Member], where: Hanging) -> None:
    ids = np.array([leaf.id for leaf in leaves], dtype=np.int32)
    present = group.present[where.slot]
    near = np.array([one.port for one in wanted], dtype=np.int32)[where.position]
    rail = np.array([one.rail for one in wanted], dtype=np.int32)[where.position]
    first = wanted[0]
    device = (group.first + where.slot).astype(np.int32)
    network.wires.append(
        Wires("node_leaf", first.gbps, device, near, ids[where.on], where.far, present, rail, first.plane)
    )
    used = np.zeros((len(leaves), len(network.taken[leaves[0].id])), dtype=np.bool_)
    used[where.on[present], where.far[present]] = True
    for row, leaf in zip(used, leaves, strict=True):
        network.taken[leaf.id] = row


def attach(network: Network, machines: Sequence[Machine], leaves: Sequence[Member], path: str) -> None:
    """Puts the ports of control servers on the highest free host ports of `leaves`, one leaf after the other."""
    role, roster = network.fabric.role, network.roster
    ends = [(machine.id, index) for machine in machines for index in roster.ports[machine.id].of_role(role)]
    for number, (device, index) in enumerate(ends):
        leaf = leaves[number % len(leaves)]
        far = network.take(leaf.id)
        port = roster.ports[device].ports[index]
        if far is None:
            names = ", ".join(machine.name for machine in machines)
            down = len(network.taken[leaf.id])
            raise network.refuse(
                f"more servers than ports: fabric {network.fabric.name} has no port left for "
                f"{roster.names[device]} {port.name} on {leaf.name}",
                f"{len(ends)} free host ports for {names}, one after the other on {leaves[0].name} to {leaves[-1].name}",
                f"nodes and control servers fill all {down} host ports of {leaf.name}",
                "lower the count of the pool, or its scalable_unit so that the last unit has room",
                path,
            )
        network.wire("node_leaf", port.gbps, [(device, index, leaf.id, far)])


def home(units: Sequence[tuple[Group, Sequence[Member]]], wanted: int, width: int, down: int) -> Sequence[Member]:
    """Leaves for `wanted` control ports: the last `width` leaves of the first group with room beside its slots, else of the last.

    Slots fill leaf by leaf, so that the last leaves are the last to be full.
    """
    for group, leaves in units:
        room = len(leaves) // width * down - group.size
        if -(-wanted // width) <= room:
            return leaves[-width:]
    return units[-1][1][-width:]
