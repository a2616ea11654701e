"""Fabrics on the switches of another one: their hosts have ports of their own on its leaves, after all others, so that no cage serves two fabrics.

As published for converged fabrics (NVIDIA enterprise-ras, spectrum-era 2-4-3-200, 2-8-5-200 and 2-8-9-400, topology files): north-south links
four to a port, east-west links two to a port, on ports apart of the same two switches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.topology import hosts
from rackwright.design.topology.guest_leaves import GuestLeaves, LeafGroup
from rackwright.design.topology.network import Network, Roster, Wires
from rackwright.design.topology.shape import lanes_of

Fill = Callable[[Network], None]


@dataclass(frozen=True)
class Joining:
    """A guest with the units and control servers that it connects."""

    network: Network
    units: Sequence[ScalableUnit]
    control: Sequence[MachineSlot]


def build(network: Network, fill: Fill, joining: Sequence[Joining]) -> None:
    """Fills `network` with `fill`, with as many ports on every leaf as the guests in `joining` need, and connects their hosts.

    Repeated on copies until the ports suffice: more guest ports mean fewer hosts per leaf, and so more leaves.
    """
    runs, load = [(network.switch.ports.per_cage, _lanes(guest)) for guest in joining], 0
    while joining:
        network.guest_runs, network.guest_gbps = tuple(runs), load
        _refuse_full(network, joining, runs)
        copy = _empty_copy(network)
        fill(copy)
        placed = [_place(copy, guest, at) for at, guest in enumerate(joining)]
        needed = [(max(leaves.ports_needed, run[0]), run[1]) for leaves, run in zip(placed, runs, strict=True)]
        load_now = max(load, sum(leaves.fullest * _gbps(guest) for leaves, guest in zip(placed, joining, strict=True)))
        if (needed, load_now) == (runs, load):
            break
        runs, load = needed, load_now
    fill(network)
    for at, guest in enumerate(joining):
        _connect(network, guest, _place(network, guest, at))


def _empty_copy(network: Network) -> Network:
    roster = network.roster
    tried = Roster([*roster.names], [*roster.parts], [*roster.ports])
    return replace(network, roster=tried, members=[], wires=[], occupied={}, slots={}, quiet={}, reserved=[])


def _refuse_full(network: Network, joining: Sequence[Joining], runs: Sequence[tuple[int, int]]) -> None:
    ports = network.switch.ports
    if sum(count for count, _ in runs) + ports.per_cage >= ports.count:
        names = " and ".join(guest.network.fabric.name for guest in joining)
        raise network.unconnected(
            f"the switches of fabric {network.fabric.name} have no ports left beside those of {names}",
            f"at least two cages of {network.switch.sku} for {network.fabric.name}",
            f"{sum(count for count, _ in runs)} of {ports.count} ports needed for {names}",
            f"give {names} switches of its own (remove switches_of), or choose a switch with more ports",
        )


def _links(guest: Joining) -> dict[str, list[hosts.HostLink]]:
    """Pool -> the links of each of its nodes."""
    return {unit.pool.name: hosts.links(guest.network, unit) for unit in guest.units}


def _gbps(guest: Joining) -> int:
    """Rate of the fastest link."""
    return max(
        (link.gbps for links in _links(guest).values() for link in links), default=guest.network.switch.ports.gbps
    )


def _lanes(guest: Joining) -> int:
    return lanes_of(guest.network.switch, _gbps(guest))


def _place(network: Network, guest: Joining, at: int) -> GuestLeaves:
    """Ports for every link of guest number `at`: machines of a unit on its own leaves, others on the first leaves with room."""
    ports, lanes = network.guest_runs[at]
    groups = _leaf_groups(network, -sum(count * ways for count, ways in network.guest_runs[at:]))
    leaves = GuestLeaves(groups, lanes, network.switch.ports.per_cage, ports)
    links, strangers = _links(guest), []
    for unit in guest.units:
        home = groups.get((unit.pool.name, unit.number))
        for machine in unit.machines:
            ends = [(machine.id, link.port, link.gbps) for link in links[unit.pool.name]]
            if home:
                rack = machine.slot // unit.pool.servers_per_rack
                leaves.place(next((group for group in home if group.rack == rack), home[0]), ends, machine.present)
            else:
                strangers.append((ends, machine.present))
    for machine in guest.control:
        listed = network.roster.ports[machine.id]
        ends = [(machine.id, index, listed.ports[index].gbps) for index in listed.of_role(guest.network.fabric.role)]
        strangers.append((ends, True))
    for ends, present in strangers:
        leaves.anywhere(ends, present)
    for purpose, count in guest.network.fabric.reserved:
        leaves.reserve(purpose, count)
    return leaves


def _leaf_groups(network: Network, first: int) -> dict[tuple[str, int], list[LeafGroup]]:
    """(pool, unit) -> its leaves by rack; `first`: where the ports of the guest begin, counted from the end."""
    groups: dict[tuple[str, int], dict[int, LeafGroup]] = {}
    for leaf in network.hosting():
        down = len(network.roster.ports[leaf.id].of_role("down"))
        group = groups.setdefault((leaf.pool, leaf.unit), {}).setdefault(leaf.rack, LeafGroup(leaf.rack))
        group.add(leaf.id, down + first)
    return {key: [*racks.values()] for key, racks in groups.items()}


def _connect(network: Network, guest: Joining, leaves: GuestLeaves) -> None:
    """Adds the wires and reserved ports of `guest`, and marks its ports as occupied."""
    joined = guest.network
    for leaf, first in leaves.first.items():
        joined.occupied[leaf] = np.arange(first + leaves.room) < first
    for places in leaves.by_rate():
        device, port, leaf_id, far = (
            np.array([getattr(place, name) for place in places], dtype=np.int32)
            for name in ("device", "port", "leaf", "far")
        )
        present = np.array([place.present for place in places], dtype=np.bool_)
        lane = [network.roster.ports[place.leaf].ports[place.far].gbps for place in places]
        gbps = min(places[0].gbps, *lane)
        joined.wires.append(Wires("node_leaf", gbps, device, port, leaf_id, far, present))
    for place in [*leaves.places, *leaves.reserved]:
        joined.occupied[place.leaf][place.far] = joined.occupied[place.leaf][place.far] or place.present
    joined.reserved += [(place.leaf, place.far, place.purpose) for place in leaves.reserved]
