"""Out-of-band management: one group of switches per scalable unit and one for the shared part of the site.

Each group connects the BMCs of its machines and the management ports of its switches; every switch has two uplinks into the in-band fabric,
on two leaves of its unit. Where in-band shares switches, any free host port of these will do. A site that fits one switch, or declares it (``leaf_group: site``), is one group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy as np

from rackwright.design import naming, ports
from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.ports import PortList
from rackwright.design.topology.network import SHARED, FabricSwitch, Network, Wires

UPLINKS = 2
"""Uplinks per management switch: one to each in-band leaf, so that losing a leaf does not lose the BMCs."""

Endpoint = tuple[int, int, bool]
"""Device, port index, present."""
Home = tuple[str, int]
"""Pool and scalable unit; empty and 0 for the shared part of the site."""


def build(
    network: Network,
    units: Sequence[ScalableUnit],
    control: Sequence[MachineSlot],
    fabrics: Sequence[Network],
    standing: Collection[str] = (),
) -> None:
    """Fills `network`; `fabrics` are the networks built so far, whose switches have management ports.

    A site of one group stays one where its switches are among the `standing` devices, so that growth changes no cable of a BMC.
    """
    switches: dict[Home, list[Endpoint]] = defaultdict(list)
    listed = ports.of_switch(network.switch)
    for fabric in fabrics:
        for member in fabric.members:
            for index in network.roster.ports[member.id].of_role("management"):
                switches[member.pool if member.unit else "", member.unit].append((member.id, index, member.present))
    groups: dict[Home, list[Endpoint]] = {}
    for unit in units:
        home = (unit.pool.name, unit.number)
        ends = [end for machine in unit.machines for end in _bmc(network, machine)]
        groups[home] = ends + switches.pop(home, [])
    ends = [end for machine in control for end in _bmc(network, machine)]
    groups[SHARED, 0] = ends + [end for switch_ends in switches.values() for end in switch_ends]
    every = [end for group in groups.values() for end in group]
    fits = network.fabric.leaf_group is None and len(every) <= network.switch.ports.count
    first, of_unit = (
        naming.switch(name, "management", 1) for name in (f"{network.fabric.name}-{SHARED}", network.fabric.name)
    )
    stands = network.fabric.leaf_group is None and first in standing and of_unit not in standing
    if network.fabric.leaf_group == "site" or fits or stands:
        groups = {(SHARED, 0): every}
    for home, group in groups.items():
        _group(network, listed, group, *home)


def uplink(network: Network, inband: Network) -> None:
    """Connects the uplinks of every management switch to free host ports of two in-band leaves of its unit."""
    if inband.owner and not _has_room(inband, len(network.members) * UPLINKS):
        inband = inband.owner
    uplinks = network.switch.uplinks
    leaves: dict[Home, list[FabricSwitch]] = defaultdict(list)
    for leaf in inband.hosting():
        leaves[leaf.pool, leaf.unit].append(leaf)
    if uplinks is None or not leaves:
        return
    units, groups = list(leaves), list(leaves.values())
    for member in network.members:
        place = (member.pool, member.unit)
        home = place if place in leaves else units[member.index % len(units)]
        near = network.roster.ports[member.id].of_role("up")
        targets = _roomy(inband, [leaves[home], *groups], min(UPLINKS, uplinks.count))
        for index, leaf in zip(near, targets, strict=False):
            far = inband.take(leaf.id)
            if far is None:
                raise inband.refuse(
                    f"fabric {inband.fabric.name} has no free port for the uplink of {member.name} on {leaf.name}",
                    f"a free host port on {leaf.name}",
                    "none left",
                    f"raise the oversubscription of {inband.fabric.name}, or lower scalable_unit",
                )
            gbps = min(uplinks.gbps, network.roster.ports[leaf.id].ports[far].gbps)
            network.wire("uplink", gbps, [(member.id, index, leaf.id, far)])


def _has_room(inband: Network, ports_needed: int) -> bool:
    """True where the ports that in-band hosts have on the switches of another fabric are enough for this too."""
    return sum(int((~inband.occupied[leaf.id]).sum()) for leaf in inband.hosting()) >= ports_needed


def _roomy(inband: Network, groups: Sequence[Sequence[FabricSwitch]], width: int) -> Sequence[FabricSwitch]:
    """The last `width` leaves with a free host port each, of the first group with such leaves; else the last of the first group.

    A storage tier of thousands of servers fills its leaves, and has more management switches than free leaf ports.
    """
    for leaves in groups:
        for end in range(len(leaves), width - 1, -width):
            candidates = leaves[end - width : end]
            if all(not inband.occupied[leaf.id].all() for leaf in candidates):
                return candidates
    return groups[0][-width:]


def _bmc(network: Network, machine: MachineSlot) -> list[Endpoint]:
    indices = network.roster.ports[machine.id].of_role(network.fabric.role)
    return [(machine.id, index, machine.present) for index in indices]


def _group(network: Network, listed: PortList, ends: Sequence[Endpoint], pool: str, unit: int) -> None:
    for start in range(0, len(ends), network.switch.ports.count):
        some = ends[start : start + network.switch.ports.count]
        member = network.add("management", network.switch, listed, pool=pool, unit=unit)
        device, index, present = (np.array(column) for column in zip(*some, strict=True))
        number = np.arange(len(some), dtype=np.int32)
        on = np.full(len(some), member.id, dtype=np.int32)
        near = device.astype(np.int32), index.astype(np.int32)
        network.wires.append(Wires("node_leaf", network.switch.ports.gbps, *near, on, number, present))
