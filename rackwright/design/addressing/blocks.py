"""All addresses as blocks of devices, ports and offsets, network by network."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rackwright.base.errors import Problem, ProblemsError
from rackwright.design.addressing import loopbacks
from rackwright.design.addressing.nets import HOST_BITS, Net, nets
from rackwright.design.addressing.slots import BOND, RESERVED, VIRTUAL, Slots, keep, slots
from rackwright.design.addressing.standing_addresses import Offsets, StandingAddresses, downwards
from rackwright.design.population import Population
from rackwright.design.ports import Ints
from rackwright.design.topology import Network
from rackwright.design.topology.build import members

__all__ = ["BOND", "VIRTUAL", "AddressPlan", "SubnetBlock", "addresses"]


@dataclass(frozen=True)
class SubnetBlock:
    """Addresses of one network: offset in the subnet, device, and port index (or `BOND`, `VIRTUAL`, a loopback)."""

    net: Net
    device: Ints
    port: Ints
    offset: Offsets


@dataclass(frozen=True)
class Room:
    """The free part of the BMC network between hosts and switches: offsets from `highest` down, above `lowest`."""

    net: Net
    path: str
    """Of its fabric in the site."""
    lowest: int
    highest: int


@dataclass(frozen=True)
class AddressPlan:
    """All networks and all addresses."""

    nets: tuple[Net, ...]
    blocks: tuple[SubnetBlock, ...]
    room: Room | None = None
    """None without a subnet for BMCs."""
    plant: tuple[tuple[str, int], ...] = ()
    """Name and offset of every CDU and PDU with an address on the network of `room`."""


def addresses(
    networks: Sequence[Network], population: Population, standing: StandingAddresses | None = None
) -> AddressPlan:
    """All addresses, fabric by fabric; devices of `standing` keep theirs. Raises `ProblemsError` with every subnet that is too small."""
    standing = standing or StandingAddresses({})
    names = networks[0].roster.names if networks else []
    blocks: list[SubnetBlock] = []
    every: list[Net] = []
    problems: list[Problem] = []
    room: Room | None = None
    for network in networks:
        units, control = members(network.fabric, population)
        network_nets = nets(network)
        every += network_nets
        problems += _six_too_small(network, network_nets)
        switches = _switches(networks) if network.fabric.role == "bmc" else []
        worst = 0
        for net in network_nets:
            hosts = keep(slots(network, net, units, control), net, names, standing)
            needed = hosts.highest + len(switches)
            worst = max(worst, needed)
            if net.subnet and needed > net.subnet.num_addresses - 2:
                continue
            problems += _taken_twice(network, net, hosts, population)
            blocks += _blocks(net, hosts, switches, names, standing)
            if network.fabric.role == "bmc" and net.subnet:
                top = net.subnet.num_addresses - 2 - len(switches)
                room = Room(net, network.path, hosts.highest, top)
        if network_nets and network_nets[0].subnet and worst > network_nets[0].subnet.num_addresses - 2:
            problems.append(_too_small(network, network_nets, worst))
        try:
            blocks += [SubnetBlock(*fields) for fields in loopbacks.blocks(network, every, standing)]
        except ProblemsError as error:
            problems += error.problems
    if problems:
        raise ProblemsError(problems)
    return AddressPlan(tuple(every), tuple(blocks), room)


def _blocks(
    net: Net,
    hosts: Slots,
    switches: Sequence[tuple[int, int, int]],
    names: Sequence[str],
    standing: StandingAddresses,
) -> Iterator[SubnetBlock]:
    if net.subnet is None and net.subnet6 is None:
        return
    yield SubnetBlock(net, hosts.device[hosts.present], hosts.port[hosts.present], hosts.offset[hosts.present])
    if switches:
        device, port, present = np.array(switches, dtype=np.int32).T
        size = net.subnet.num_addresses if net.subnet else 1 << 32
        used, planned = present == 1, size - 2 - np.arange(len(switches), dtype=np.int64)
        offset = standing.deal(net, [names[number] for number in device], planned, downwards(size - 2))
        yield SubnetBlock(net, device[used], port[used], offset[used])


def _switches(networks: Sequence[Network]) -> list[tuple[int, int, int]]:
    """(device, port, present as 1 or 0) of every management port of a switch; absent switches keep their address."""
    ends = []
    for network in networks:
        for member in network.members:
            management_ports = network.roster.ports[member.id].of_role("management")
            if member.tier == "management":
                ends.append((member.id, VIRTUAL, 1))
            elif management_ports:
                ends.append((member.id, management_ports[0], int(member.present)))
    return ends


def _taken_twice(network: Network, net: Net, hosts: Slots, population: Population) -> Iterator[Problem]:
    """Problems where the design gives a machine the declared address of another host; designed addresses alone never clash."""
    if net.subnet is None or not any(machine.address for machine in population.all()):
        return
    offsets, times = np.unique(hosts.offset[hosts.present], return_counts=True)
    for offset in offsets[times > 1]:
        yield Problem(
            place="site",
            path=f"{network.path}.subnet",
            message="two machines would have the same address",
            expected="an address of its own for every machine; the design numbers those without one in `pools[].hosts` from the start of the subnet",
            found=str(net.subnet.network_address + int(offset)),
            next_step="take a wider subnet, so that its start is free of running hosts, or correct the address of the host",
            code="design.same_address",
        )


def _six_too_small(network: Network, network_nets: Sequence[Net]) -> Iterator[Problem]:
    declared = ipaddress.IPv6Network(network.fabric.subnet6) if network.fabric.subnet6 else None
    needed = (len(network_nets) - 1).bit_length()
    if declared is None or declared.prefixlen + needed <= HOST_BITS:
        return
    yield Problem(
        place="site",
        path=f"{network.path}.subnet6",
        message=f"the IPv6 subnet of {network.fabric.name} is too small",
        expected=f"a /{HOST_BITS} for each of {len(network_nets)} rails",
        found=str(declared),
        next_step=f"use a /{HOST_BITS - needed} or larger",
        code="design.subnet_full",
    )


def _too_small(network: Network, network_nets: Sequence[Net], needed: int) -> Problem:
    subnet = ipaddress.IPv4Network(network.fabric.subnet or "0.0.0.0/0")
    prefix = 32 - (needed + 1).bit_length() - (len(network_nets) - 1).bit_length()
    each = f" in each of {len(network_nets)} rails" if len(network_nets) > 1 else ""
    capacity = network_nets[0].subnet.num_addresses - 2 if network_nets[0].subnet else 0
    return Problem(
        place="site",
        path=f"{network.path}.subnet",
        message=f"the subnet of {network.fabric.name} is too small",
        expected=f"{needed} host addresses{each}, {RESERVED} reserved ones and whole scalable units included",
        found=f"{subnet} has {max(capacity, 0)}{each}",
        next_step=f"use a /{prefix} or larger",
        code="design.subnet_full",
    )
