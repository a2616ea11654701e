"""Offsets of hosts in a subnet, absent slots included, so that growth moves nothing; those that stand already are kept."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

import numpy as np

from rackwright.design.addressing.nets import Net
from rackwright.design.addressing.standing_addresses import Offsets, StandingAddresses
from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.ports import Ints, PortList
from rackwright.design.topology import Network
from rackwright.design.topology.network import UNSET, Bools

RESERVED = 15
"""Host addresses at the start of every subnet for gateways and site services."""
BLOCK = 16
"""Control servers get whole blocks, so that one more of them moves no node."""
BOND = -1
"""In place of a port: the interface that joins several in-band ports."""
VIRTUAL = -2
"""In place of a port: the interface of a management switch, which has no cable to its own management port."""
LOOPBACK = -3
"""In place of a port: the loopback of a switch."""


@dataclass(frozen=True)
class Slots:
    """Device, port and offset of every address, and whether the machine is present."""

    device: Ints
    port: Ints
    offset: Offsets
    present: Bools
    elsewhere: Bools
    """True for a running host whose address is in another subnet: its offset is that of the address all the same, and may be negative.

    True also for an address that stands already, so that it makes no subnet too small."""

    @cached_property
    def highest(self) -> int:
        """The highest offset in use or reserved."""
        return int(self.offset[~self.elsewhere].max(initial=RESERVED))


def slots(network: Network, net: Net, units: Sequence[ScalableUnit], control: Sequence[MachineSlot]) -> Slots:
    """The slots of one network: control servers, then units."""
    lists = network.roster.ports
    ports = {id(lists[machine.id]): interfaces(network, net, lists[machine.id]) for machine in control}
    for unit in units:
        listed = lists[unit.machines[0].id]
        ports.setdefault(id(listed), interfaces(network, net, listed))
    width = max((len(names) for names in ports.values()), default=1)
    first = RESERVED + 1
    groups = [
        _group([machine], ports[id(lists[machine.id])], first + at * width, width) for at, machine in enumerate(control)
    ]
    at = first + -(-len(control) * width // BLOCK) * BLOCK
    for unit in units:
        groups.append(_group(unit.machines, ports[id(lists[unit.machines[0].id])], at, width))
        at += width * len(unit.machines)
    if not groups:
        return _group([], [], first, 1)
    joined = Slots(*(np.concatenate([getattr(part, name) for part in groups]) for name in Slots.__dataclass_fields__))
    return _at_home(joined, net, units) if network.fabric.role == "inband" else joined


def _at_home(joined: Slots, net: Net, units: Sequence[ScalableUnit]) -> Slots:
    """`joined` with every machine that has a declared address moved to that address."""
    declared = {machine.id: machine.address for unit in units for machine in unit.machines if machine.address}
    if not declared or net.subnet is None:
        return joined
    base, offset, elsewhere = int(net.subnet.network_address), joined.offset.copy(), joined.elsewhere.copy()
    for at, device in enumerate(joined.device):
        if address := declared.get(int(device)):
            offset[at] = int(ipaddress.IPv4Address(address)) - base
            elsewhere[at] = ipaddress.IPv4Address(address) not in net.subnet
    return replace(joined, offset=offset, elsewhere=elsewhere)


def keep(hosts: Slots, net: Net, names: Sequence[str], standing: StandingAddresses) -> Slots:
    """`hosts` with the recorded addresses of devices in `standing`."""
    if not standing.by_device:
        return hosts
    offset = standing.deal(net, [names[device] for device in hosts.device], hosts.offset, count(RESERVED + 1))
    stands = np.array([names[device] in standing.by_device for device in hosts.device], dtype=np.bool_)
    return replace(hosts, offset=offset, elsewhere=hosts.elsewhere | stands)


def interfaces(network: Network, net: Net, listed: PortList) -> list[int]:
    """Ports of a machine that carry an address on `net`: one bond in-band, else every port of its rail and plane."""
    fabric = network.fabric
    indices = listed.of_role(fabric.role)
    if fabric.role == "inband" and len(indices) > 1:
        return [BOND]
    if net.rail == UNSET and net.plane == UNSET:
        return indices
    return [at for at in indices if _is_of(net, listed, at, fabric.planes)]


def _is_of(net: Net, listed: PortList, at: int, planes: int) -> bool:
    port = listed.ports[at]
    if net.rail not in (UNSET, port.rail):
        return False
    if net.plane == UNSET:
        return True
    same = [index for index in listed.of_role(port.role) if listed.ports[index].rail == port.rail]
    return same.index(at) % planes == net.plane


def _group(machines: Sequence[MachineSlot], ports: Sequence[int], first: int, width: int) -> Slots:
    ids = np.array([machine.id for machine in machines], dtype=np.int32)
    present = np.array([machine.present for machine in machines], dtype=np.bool_)
    each = len(ports)
    offset = first + np.arange(len(ids), dtype=np.int64)[:, None] * width + np.arange(each, dtype=np.int64)
    port = np.tile(np.array(ports, dtype=np.int32), len(ids))
    elsewhere = np.zeros(len(port), dtype=np.bool_)
    return Slots(np.repeat(ids, each), port, offset.reshape(-1), np.repeat(present, each), elsewhere)
