"""Nodes and switches in the equal groups of a Dragonfly or Dragonfly+."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rackwright.design.population import ScalableUnit
from rackwright.design.topology import hosts
from rackwright.design.topology.hosts import Hanging, Leaf, NodeGroup
from rackwright.design.topology.network import UNSET, FabricSwitch, Network
from rackwright.design.topology.slices import Slice
from rackwright.design.topology.spare_ports import Hung


def wire_groups(network: Network, units: Sequence[ScalableUnit], slice_: Slice, leaf: Leaf, switches: int) -> Hung:
    """Adds the leaves of every group and the wires of its nodes, first links of all nodes first."""
    hung: Hung = []
    for pool in dict.fromkeys(unit.pool.name for unit in units):
        node_links = slice_.links[pool]
        if not node_links:
            continue
        size = _nodes(network, pool, len(node_links), switches, leaf.down)
        for group in _groups([unit for unit in units if unit.pool.name == pool], size):
            leaves = [_member(network, group, leaf, slice_) for _ in range(switches)]
            slot, position = np.indices((group.size, len(node_links)), dtype=np.int32).reshape(2, -1)
            order = position * size + slot
            hosts.wire_hosts(
                network, group, node_links, leaves, Hanging(slot, position, order // leaf.down, order % leaf.down)
            )
            hung.append((group, leaves))
    return hung


def count(network: Network, units: Sequence[ScalableUnit], slice_: Slice, switches: int, down: int) -> int:
    """Groups that the nodes of all pools need, with `switches` switches per group and `down` hosts per switch."""
    groups = 0
    for pool in dict.fromkeys(unit.pool.name for unit in units):
        if slice_.links[pool]:
            slots = sum(len(unit.machines) for unit in units if unit.pool.name == pool)
            groups += -(-slots // _nodes(network, pool, len(slice_.links[pool]), switches, down))
    return groups


def _nodes(network: Network, pool: str, width: int, switches: int, down: int) -> int:
    """Number of whole nodes in a group. Raises `ProblemsError` if not even one fits."""
    if switches * down < width:
        raise network.refuse(
            f"a group of fabric {network.fabric.name} has fewer host ports than a node of {pool} has links",
            f"{width} host ports",
            f"{switches} switches of {down} host ports",
            "raise switches_per_group or hosts_per_switch",
            f"{network.path}.dragonfly",
        )
    return switches * down // width


def _groups(units: Sequence[ScalableUnit], size: int) -> Iterator[NodeGroup]:
    """Groups of `size` consecutive nodes of one pool, across its units."""
    machines = [machine for unit in units for machine in unit.machines]
    present = np.array([machine.present for machine in machines], dtype=np.bool_)
    per_unit = len(units[0].machines)
    for first in range(0, len(machines), size):
        group_present = present[first : first + size]
        yield NodeGroup(units[first // per_unit], UNSET, machines[first].id, len(group_present), group_present)


def _member(network: Network, group: NodeGroup, leaf: Leaf, slice_: Slice) -> FabricSwitch:
    pool, unit = group.unit.pool.name, group.unit.number
    member = network.add("leaf", leaf.part, leaf.ports, pool=pool, unit=unit, plane=slice_.plane, rail=slice_.rail)
    return hosts.opened(network, member, leaf)


def links(network: Network, groups: int, ports: int) -> int:
    """Links between every two of `groups` groups with `ports` global ports each: as declared, else as many as fit."""
    if groups == 1:
        return 0
    declared = network.fabric.dragonfly.global_links if network.fabric.dragonfly else None
    per_pair = declared or ports // (groups - 1)
    if not per_pair or per_pair * (groups - 1) > ports:
        raise network.unconnected(
            f"the groups of fabric {network.fabric.name} cannot all be joined",
            f"{declared or 1} links from every group to each of {groups - 1} others",
            f"{ports} global ports per group, so {ports // (declared or 1) + 1} groups at most",
            "lower global_links, raise switches_per_group, or choose a switch with more ports",
        )
    return per_pair
