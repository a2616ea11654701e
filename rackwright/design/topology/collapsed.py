"""A collapsed core: exactly two switches, the ports of every node dealt over both, and links between the two.

The inter-switch links are sized without blocking: as many as one switch has host links, divided by the declared oversubscription (NVIDIA
enterprise-ras, spectrum-era 2-4-3-200, 2-8-5-200 and 2-8-9-400, topology files: 32, 40 and 48 links between core-01 and core-02).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.topology import clos, hosts, spare_ports
from rackwright.design.topology.hosts import NodeGroup
from rackwright.design.topology.network import UNSET, FabricSwitch, Network
from rackwright.design.topology.shape import face, fits, shares
from rackwright.design.topology.slices import Slice, slices

SWITCHES = 2


def build(network: Network, units: Sequence[ScalableUnit], control: Sequence[MachineSlot]) -> None:
    """Fills `network` with the two switches, all hosts and the links between the two."""
    for slice_ in slices(network, units, control):
        hosted = _host_links(units, slice_)
        links = network.fabric.leaf_up or shares(network, slice_.gbps, hosted)
        host_ports = hosted + -(-sum(slice_.part(count) for _, count in network.fabric.reserved) // SWITCHES)
        if not fits(network, slice_.gbps, host_ports, links):
            raise _too_many(network, slice_, host_ports, links)
        plan = face(network, slice_.gbps, links)
        pair = [
            network.add("core", network.switch, plan.leaf.ports, plane=slice_.plane, rail=slice_.rail)
            for _ in range(SWITCHES)
        ]
        for member in pair:
            hosts.opened(network, member, plan.leaf)
        hung = _hang_hosts(network, units, slice_, pair)
        spare_ports.occupy(network, hung, slice_, SWITCHES, f"{units[-1].path}.count")
        clos.join_pair(network, pair, links, plan.gbps, plan.first_up)


def _host_links(units: Sequence[ScalableUnit], slice_: Slice) -> int:
    """Host links on the fuller of the two, slots without a node and control servers included.

    Ports that are reserved for storage and exits carry no traffic from one switch to the other in the published designs.
    """
    ends = sum(len(unit.machines) * len(slice_.links[unit.pool.name]) for unit in units)
    return -(-ends // SWITCHES) + -(-len(slice_.control) // SWITCHES)


def _hang_hosts(
    network: Network, units: Sequence[ScalableUnit], slice_: Slice, pair: Sequence[FabricSwitch]
) -> spare_ports.Hung:
    hanging = []
    for unit in units:
        if node_links := slice_.links[unit.pool.name]:
            present = np.array([machine.present for machine in unit.machines], dtype=np.bool_)
            hanging.append((NodeGroup(unit, UNSET, unit.machines[0].id, len(unit.machines), present), node_links))
    hosts.deal(network, hanging, pair, SWITCHES, len(network.occupied[pair[0].id]))
    return [(group, list(pair)) for group, _ in hanging]


def _too_many(network: Network, slice_: Slice, host_ports: int, links: int) -> Exception:
    switch = network.switch
    return network.unconnected(
        f"fabric {network.fabric.name} has more links than two {switch.sku} can take",
        f"{host_ports} host ports of {slice_.gbps} Gb/s and {links} links to the other switch on each of the two",
        f"{switch.sku} with {switch.ports.count} ports of {switch.ports.gbps} Gb/s",
        "use topology leaf-spine, which has as many switches as it needs, or a switch with more ports",
    )
