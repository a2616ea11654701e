"""Wires leaves to spines and spines to cores: every switch has equally many links to every switch above it.

Where that is impossible (published fabrics of one unit with fewer cores than a spine has uplinks per core group), the links of a spine to
any two cores differ by one at most; the rule ``uplink_balance`` reports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rackwright.design import ports
from rackwright.design.ports import PortList
from rackwright.design.topology.network import UNSET, FabricSwitch, Network, Wires
from rackwright.design.topology.radix import Tiers
from rackwright.design.topology.shape import lanes_of
from rackwright.model.sku import Switch


@dataclass(frozen=True)
class Upper:
    """The switches above the leaves of one plane (or rail), and how they are joined."""

    spine: Switch
    core: Switch
    gbps: int
    """Rate of a link between switches."""
    first: int
    """Index of a leaf's first uplink port."""
    up: int
    """Uplinks of a leaf."""
    plane: int = UNSET
    rail: int = UNSET

    def ports(self, switch: Switch) -> PortList:
        """Port list of a spine or core, all ports at the rate of the links."""
        lanes = lanes_of(switch, self.gbps)
        return ports.of_switch(switch, [(switch.ports.count, lanes)])

    def radix(self, switch: Switch) -> int:
        """Number of ports of a spine or core at the rate of the links."""
        return switch.ports.count * lanes_of(switch, self.gbps)


def raise_tiers(network: Network, pods: Sequence[Sequence[FabricSwitch]], plan: Tiers, upper: Upper) -> None:
    """Adds the spines and cores of `plan` above the leaves of `network`, pod by pod."""
    spines: list[list[FabricSwitch]] = []
    spine_ports, core_ports = upper.ports(upper.spine), upper.ports(upper.core)
    for leaves, count in zip(pods, plan.spines, strict=True):
        spines.append(
            [network.add("spine", upper.spine, spine_ports, plane=upper.plane, rail=upper.rail) for _ in range(count)]
        )
        network.wires.append(join("leaf_spine", leaves, spines[-1], upper))
    cores = [network.add("core", upper.core, core_ports, plane=upper.plane, rail=upper.rail) for _ in range(plan.cores)]
    if cores:
        network.wires.append(_cores(spines, cores, plan, upper))


def join_pair(network: Network, leaves: Sequence[FabricSwitch], links: int, gbps: int, first: int) -> None:
    """Joins the only two leaves with `links` inter-switch links, on ports after `first` of both."""
    first_leaf, second_leaf = leaves
    ends = [(first_leaf.id, first + link, second_leaf.id, first + link) for link in range(links)]
    network.wire("isl", gbps, ends, first_leaf.plane)


def join(kind: str, below: Sequence[FabricSwitch], above: Sequence[FabricSwitch], upper: Upper) -> Wires:
    """The uplinks of each of `below`, dealt evenly over `above`."""
    each = upper.up // len(above)
    row, column, link = np.indices((len(below), len(above), each), dtype=np.int32).reshape(3, -1)
    low, high = _ids(below), _ids(above)
    near, far = upper.first + column * each + link, row * each + link
    return Wires(kind, upper.gbps, low[row], near, high[column], far, plane=upper.plane)


def _cores(spines: Sequence[Sequence[FabricSwitch]], cores: Sequence[FabricSwitch], plan: Tiers, upper: Upper) -> Wires:
    """The uplinks of every spine to the cores, on the upper half of its ports.

    Spine j of every pod connects to the j-th group of cores when groups come out even; else links are dealt in turn over all cores, each spine
    continuing where the one before stopped.
    """
    half = upper.radix(upper.spine) // 2
    flat = [spine for pod in spines for spine in pod]
    per_pod = len(spines[0])
    size = len(cores) // per_pod
    even = len(set(plan.spines)) == 1 and size * per_pod == len(cores) and size > 0 and plan.spine_up % size == 0
    index, link = np.indices((len(flat), plan.spine_up), dtype=np.int32).reshape(2, -1)
    core = (
        (index % per_pod) * size + link // (plan.spine_up // size)
        if even
        else (index * plan.spine_up + link) % len(cores)
    )
    far = _turn(core.astype(np.int32), len(cores))
    return Wires("spine_core", upper.gbps, _ids(flat)[index], half + link, _ids(cores)[core], far, plane=upper.plane)


def _turn(group: ports.Ints, groups: int) -> ports.Ints:
    """By entry: how many earlier entries have the same value, which is the next free port of that core."""
    order = np.argsort(group, kind="stable")
    starts = np.zeros(groups + 1, dtype=np.int64)
    np.add.at(starts, group + 1, 1)
    starts = np.cumsum(starts)
    turn = np.empty(len(group), dtype=np.int32)
    turn[order] = np.arange(len(group)) - starts[group[order]]
    return turn


def _ids(members: Sequence[FabricSwitch]) -> ports.Ints:
    return np.array([member.id for member in members], dtype=np.int32)
