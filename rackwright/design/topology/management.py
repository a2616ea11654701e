"""Out-of-band management: one group of switches per scalable unit and one for what the site shares.

Each group connects the BMCs of its machines and the management ports of its switches; every switch has two uplinks into
the in-band fabric, on two leaves of its unit.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.design import naming
from rackwright.design.population import Machine, Unit
from rackwright.design.topology.network import Member, Network, Wire

UPLINKS = 2
"""Uplinks per management switch: one to each in-band leaf, so that losing a leaf does not lose the BMCs."""

Endpoint = tuple[str, str, bool]
"""Device, port, present."""


def build(network: Network, units: Sequence[Unit], control: Sequence[Machine], others: Sequence[Network]) -> None:
    """Fills `network`; `others` are the fabrics built so far, whose switches have management ports."""
    switches = [(other.switch, member) for other in others for member in other.members]
    for unit in units:
        ends = [end for machine in unit.machines for end in _bmc(network, machine)]
        ends += [
            (member.name, switch.management_port, True)
            for switch, member in switches
            if switch.management_port and (member.pool, member.unit) == (unit.pool.name, unit.number)
        ]
        _group(network, ends, unit.pool.name, unit.number)
    ends = [end for machine in control for end in _bmc(network, machine)]
    ends += [
        (member.name, switch.management_port, True)
        for switch, member in switches
        if switch.management_port and member.unit == 0
    ]
    _group(network, ends, "", 0)


def uplink(network: Network, inband: Network) -> None:
    """Connects the uplinks of every management switch to free host ports of two in-band leaves, those of its unit."""
    uplinks = network.switch.uplinks
    if uplinks is None or uplinks.gbps != inband.switch.ports.gbps:
        return
    count = min(UPLINKS, uplinks.count)
    for member in network.members:
        for number, leaf in enumerate(_leaves(inband, member, count)):
            if not inband.free[leaf.name]:
                raise inband.refuse(
                    f"fabric {inband.fabric.name} has no free port for the uplink of {member.name} on {leaf.name}",
                    f"a free host port on {leaf.name}",
                    "none left",
                    f"raise the oversubscription of {inband.fabric.name}, or lower scalable_unit",
                )
            near = network.port(network.switch.ports.count + number + 1)
            far = inband.port(inband.free[leaf.name].pop())
            network.wires.append(Wire("uplink", member.name, near, leaf.name, far, uplinks.gbps))


def _leaves(inband: Network, member: Member, count: int) -> list[Member]:
    """The last `count` in-band leaves of the unit of `member`; for what the site shares, the units take turns."""
    leaves = [leaf for leaf in inband.members if leaf.tier == "leaf"]
    units = list(dict.fromkeys((leaf.pool, leaf.unit) for leaf in leaves))
    own = (member.pool, member.unit)
    unit = own if own in units else units[member.index % len(units)]
    return [leaf for leaf in leaves if (leaf.pool, leaf.unit) == unit][-count:]


def _bmc(network: Network, machine: Machine) -> list[Endpoint]:
    return [(machine.name, port, machine.present) for port, _ in machine.ports(network.fabric.role)]


def _group(network: Network, ends: Sequence[Endpoint], pool: str, unit: int) -> None:
    size = network.switch.ports.count
    for start in range(0, len(ends), size):
        index = len(network.members) + 1
        member = Member(naming.switch(network.fabric.name, "switch", index), "management", pool, unit, index)
        network.members.append(member)
        for number, (device, port, present) in enumerate(ends[start : start + size], start=1):
            far = network.port(number)
            gbps = network.switch.ports.gbps
            network.wires.append(Wire("node_leaf", device, port, member.name, far, gbps, present))
