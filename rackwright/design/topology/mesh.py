"""A full mesh of leaves: every two joined by equally many links, no spines.

With d hosts on each of L leaves and m links between two, ``U = (L - 1) * m`` ports of a leaf lead to others. Uniform
traffic sends 1/L of what a leaf injects to every other leaf, so ``m = ceil(d * host rate / (o * link rate * L))``.
Leaves take as many hosts as still leave room for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.design.population import Machine, Unit
from rackwright.design.topology import hosts, pairs, spare
from rackwright.design.topology.network import Network
from rackwright.design.topology.shape import face, fits, lanes_of, shares
from rackwright.design.topology.slices import Slice, slices


def build(network: Network, units: Sequence[Unit], control: Sequence[Machine]) -> None:
    """Fills `network` with leaves, hosts and the links between leaves."""
    for one in slices(network, units, control):
        sizes = [
            (group.size, len(one.links[unit.pool.name]))
            for unit in units
            if one.links[unit.pool.name]
            for group in hosts.groups(network, unit)
        ]
        down, links = _widest(network, sizes, one)
        count = sum(hosts.packed(*size, down)[0] for size in sizes)
        plan = face(network, one.gbps, (count - 1) * links)
        leaf = replace(plan.leaf, down=down)
        hung: spare.Hung = []
        for unit in units:
            wanted = one.links[unit.pool.name]
            if wanted:
                hung += [(group, hosts.pack(network, group, wanted, leaf)) for group in hosts.groups(network, unit)]
        spare.occupy(network, hung, one, len(hung[0][1]), f"{units[-1].path}.count")
        if links:
            leaves = [leaf for _, found in hung for leaf in found]
            network.wires.append(pairs.mesh([leaves], links, plan.first_up, plan.gbps, "isl"))


def _widest(network: Network, sizes: Sequence[tuple[int, int]], one: Slice) -> tuple[int, int]:
    """Most hosts of a leaf, and the links between two leaves, that fit on the switch."""
    fabric, switch = network.fabric, network.switch
    most = switch.ports.count * lanes_of(switch, one.gbps)
    for down in range(min(fabric.leaf_down or most, most), 0, -1):
        filled = [hosts.packed(*size, down) for size in sizes]
        count, fullest = sum(leaves for leaves, _ in filled), max(each for _, each in filled)
        extra = len(one.control) + sum(one.part(kept) for _, kept in fabric.reserved)
        wanted = fullest + -(-extra // count)
        links = _links(network, one, wanted, count)
        if links is not None and fits(network, one.gbps, wanted, (count - 1) * links):
            return down, links
    raise _too_many(network, one, sizes)


def _links(network: Network, one: Slice, wanted: int, count: int) -> int | None:
    """Links between two of `count` leaves; None where the declared uplinks do not reach all others."""
    if count == 1:
        return 0
    declared = network.fabric.leaf_up
    if declared:
        return declared // (count - 1) or None
    return shares(network, one.gbps, wanted, count)


def _too_many(network: Network, one: Slice, sizes: Sequence[tuple[int, int]]) -> Exception:
    switch, total = network.switch, sum(size * width for size, width in sizes)
    return network.unconnected(
        f"a full mesh of {switch.sku} cannot take all hosts of fabric {network.fabric.name}",
        f"leaves of {switch.ports.count} ports that reach each other at {network.fabric.oversubscription:g}:1",
        f"{total} host links of {one.gbps} Gb/s",
        "use topology leaf-spine or fat-tree, a switch with more ports, or a higher oversubscription",
    )
