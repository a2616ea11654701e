"""A full mesh of leaves: every two joined by equally many links, no spines.

With d hosts on each of L leaves and m links between two, ``U = (L - 1) * m`` ports of a leaf lead to others. Uniform traffic sends 1/L of
what a leaf injects to every other leaf, so ``m = ceil(d * host rate / (o * link rate * L))``. Leaves take as many hosts as leave room for
these links.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.topology import hosts, pairs, spare_ports
from rackwright.design.topology.network import Network
from rackwright.design.topology.shape import face, fits, lanes_of, shares
from rackwright.design.topology.slices import Slice, slices


def build(network: Network, units: Sequence[ScalableUnit], control: Sequence[MachineSlot]) -> None:
    """Fills `network` with leaves, hosts and the links between leaves."""
    for slice_ in slices(network, units, control):
        sizes = [
            (group.size, len(slice_.links[unit.pool.name]))
            for unit in units
            if slice_.links[unit.pool.name]
            for group in hosts.groups(network, unit)
        ]
        down, links = _widest_mesh(network, sizes, slice_)
        count = sum(hosts.packed(*size, down)[0] for size in sizes)
        plan = face(network, slice_.gbps, (count - 1) * links)
        leaf = replace(plan.leaf, down=down)
        hung: spare_ports.Hung = []
        for unit in units:
            node_links = slice_.links[unit.pool.name]
            if node_links:
                hung += [(group, hosts.pack(network, group, node_links, leaf)) for group in hosts.groups(network, unit)]
        spare_ports.occupy(network, hung, slice_, len(hung[0][1]), f"{units[-1].path}.count")
        if links:
            leaves = [leaf for _, group_leaves in hung for leaf in group_leaves]
            network.wires.append(pairs.mesh([leaves], links, plan.first_up, plan.gbps, "isl"))


def _widest_mesh(network: Network, sizes: Sequence[tuple[int, int]], slice_: Slice) -> tuple[int, int]:
    """Most hosts of a leaf, and the links between two leaves, that fit on the switch."""
    fabric, switch = network.fabric, network.switch
    most = switch.ports.count * lanes_of(switch, slice_.gbps)
    for down in range(min(fabric.leaf_down or most, most), 0, -1):
        filled = [hosts.packed(*size, down) for size in sizes]
        count, fullest = sum(leaves for leaves, _ in filled), max(each for _, each in filled)
        extra = len(slice_.control) + sum(slice_.part(reserved) for _, reserved in fabric.reserved)
        host_ports = fullest + -(-extra // count)
        links = _links(network, slice_, host_ports, count)
        if links is not None and fits(network, slice_.gbps, host_ports, (count - 1) * links):
            return down, links
    raise _too_many(network, slice_, sizes)


def _links(network: Network, slice_: Slice, host_ports: int, count: int) -> int | None:
    """Links between two of `count` leaves; None where the declared uplinks do not reach all others."""
    if count == 1:
        return 0
    declared = network.fabric.leaf_up
    if declared:
        return declared // (count - 1) or None
    return shares(network, slice_.gbps, host_ports, count)


def _too_many(network: Network, slice_: Slice, sizes: Sequence[tuple[int, int]]) -> Exception:
    switch, total = network.switch, sum(size * width for size, width in sizes)
    return network.unconnected(
        f"a full mesh of {switch.sku} cannot take all hosts of fabric {network.fabric.name}",
        f"leaves of {switch.ports.count} ports that reach each other at {network.fabric.oversubscription:g}:1",
        f"{total} host links of {slice_.gbps} Gb/s",
        "use topology leaf-spine or fat-tree, a switch with more ports, or a higher oversubscription",
    )
