"""A collapsed core: exactly two switches, the ports of every node dealt over both, and links between the two.

The inter-switch links are sized without blocking: as many as one switch has host links, divided by the declared
oversubscription (NVIDIA enterprise-ras, spectrum-era 2-4-3-200, 2-8-5-200 and 2-8-9-400, topology files: 32, 40 and 48
links between core-01 and core-02).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rackwright.design.population import Machine, Unit
from rackwright.design.topology import clos, hosts, spare
from rackwright.design.topology.hosts import Group, Hanging, HostLink
from rackwright.design.topology.network import UNSET, Member, Network
from rackwright.design.topology.shape import face, fits, shares
from rackwright.design.topology.slices import Slice, slices

SWITCHES = 2


def build(network: Network, units: Sequence[Unit], control: Sequence[Machine]) -> None:
    """Fills `network` with the two switches, all hosts and the links between the two."""
    for one in slices(network, units, control):
        hosted = _hosted(units, one)
        links = network.fabric.leaf_up or shares(network, one.gbps, hosted)
        wanted = hosted + -(-sum(one.part(count) for _, count in network.fabric.reserved) // SWITCHES)
        if not fits(network, one.gbps, wanted, links):
            raise _too_many(network, one, wanted, links)
        plan = face(network, one.gbps, links)
        pair = [
            network.add("core", network.switch, plan.leaf.ports, plane=one.plane, rail=one.rail)
            for _ in range(SWITCHES)
        ]
        for member in pair:
            hosts.opened(network, member, plan.leaf)
        hung = _hang(network, units, one, pair)
        spare.occupy(network, hung, one, SWITCHES, f"{units[-1].path}.count")
        clos.join_pair(network, pair, links, plan.gbps, plan.first_up)


def _hosted(units: Sequence[Unit], one: Slice) -> int:
    """Host links on the fuller of the two, slots without a node and control servers included.

    Ports that are reserved for storage and exits carry no traffic from one switch to the other in the published designs.
    """
    ends = sum(len(unit.machines) * len(one.links[unit.pool.name]) for unit in units)
    return -(-ends // SWITCHES) + -(-len(one.control) // SWITCHES)


def _hang(network: Network, units: Sequence[Unit], one: Slice, pair: Sequence[Member]) -> spare.Hung:
    hung: spare.Hung = []
    before = 0
    for unit in units:
        wanted: Sequence[HostLink] = one.links[unit.pool.name]
        if not wanted:
            continue
        present = np.array([machine.present for machine in unit.machines], dtype=np.bool_)
        group = Group(unit, UNSET, unit.machines[0].id, len(unit.machines), present)
        slot, position = np.indices((group.size, len(wanted)), dtype=np.int32).reshape(2, -1)
        turn = before + slot * len(wanted) + position
        hosts.hang(network, group, wanted, pair, Hanging(slot, position, turn % SWITCHES, turn // SWITCHES))
        before += group.size * len(wanted)
        hung.append((group, list(pair)))
    return hung


def _too_many(network: Network, one: Slice, wanted: int, links: int) -> Exception:
    switch = network.switch
    return network.unconnected(
        f"fabric {network.fabric.name} has more links than two {switch.sku} can take",
        f"{wanted} host ports of {one.gbps} Gb/s and {links} links to the other switch on each of the two",
        f"{switch.sku} with {switch.ports.count} ports of {switch.ports.gbps} Gb/s",
        "use topology leaf-spine, which has as many switches as it needs, or a switch with more ports",
    )
