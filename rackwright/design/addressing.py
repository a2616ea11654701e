"""Addresses: every machine on the in-band and the out-of-band network, every switch on the out-of-band one.

A subnet is filled so that growth moves nothing: the first 15 host addresses stay free for gateways and site services,
control servers follow in a block of whole sixteens, then pools in blocks of whole scalable units; switches count down
from the top.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rackwright.design import naming
from rackwright.design.population import Machine, Population
from rackwright.design.topology import Network
from rackwright.design.topology.build import members
from rackwright.errors import Problem, ProblemsError

RESERVED = 15
"""Host addresses at the start of every subnet for gateways and site services."""
BLOCK = 16
"""Control servers get whole blocks, so that one more of them moves no node."""


@dataclass(frozen=True)
class Address:
    """One address on one interface."""

    address: str
    prefix: int
    network: str
    device: str
    interface: str


def addresses(networks: Sequence[Network], population: Population) -> list[Address]:
    """All addresses, fabric by fabric. Raises `ProblemsError` for every subnet that is too small."""
    found: list[Address] = []
    problems = []
    for network in networks:
        if network.fabric.subnet is None:
            continue
        subnet = ipaddress.IPv4Network(network.fabric.subnet)
        hosts = list(_hosts(network, population))
        switches = list(_switches(networks)) if network.fabric.role == "bmc" else []
        needed = max((offset for offset, _, _, _ in hosts), default=RESERVED) + len(switches)
        if needed > subnet.num_addresses - 2:
            problems.append(_too_small(network, subnet, needed))
            continue
        name, prefix, base = network.fabric.name, subnet.prefixlen, int(subnet.network_address)
        found += [
            Address(str(ipaddress.IPv4Address(base + at)), prefix, name, device, port)
            for at, device, port, there in hosts
            if there
        ]
        top = int(subnet.broadcast_address) - 1
        found += [
            Address(str(ipaddress.IPv4Address(top - at)), prefix, name, device, port)
            for at, (device, port) in enumerate(switches)
        ]
    if problems:
        raise ProblemsError(problems)
    return found


def _hosts(network: Network, population: Population) -> Iterator[tuple[int, str, str, bool]]:
    """Offset in the subnet, device, interface, present."""
    units, control = members(network.fabric, population)
    width = max((len(interfaces(network, one)) for one in [*control, *(unit.machines[0] for unit in units)]), default=1)
    at = RESERVED + 1
    for machine in control:
        for step, port in enumerate(interfaces(network, machine)):
            yield at + step, machine.name, port, True
        at += width
    at = RESERVED + 1 + -(-len(control) * width // BLOCK) * BLOCK
    for unit in units:
        for machine in unit.machines:
            for step, port in enumerate(interfaces(network, machine)):
                yield at + step, machine.name, port, machine.present
            at += width


def interfaces(network: Network, machine: Machine) -> list[str]:
    """Interfaces of a machine that carry an address: one bond in-band, else every port."""
    ports = [port for port, _ in machine.ports(network.fabric.role)]
    return [naming.BOND] if network.fabric.role == "inband" and len(ports) > 1 else ports


def _switches(networks: Sequence[Network]) -> Iterator[tuple[str, str]]:
    for network in networks:
        for member in network.members:
            port = naming.VIRTUAL_INTERFACE if member.tier == "management" else member.part.management_port
            if port:
                yield member.name, port


def _too_small(network: Network, subnet: ipaddress.IPv4Network, needed: int) -> Problem:
    prefix = 32 - (needed + 1).bit_length()
    return Problem(
        place="site",
        path=f"{network.path}.subnet",
        message=f"the subnet of {network.fabric.name} is too small",
        expected=f"{needed} host addresses, {RESERVED} reserved ones and whole scalable units included",
        found=f"{subnet} has {max(subnet.num_addresses - 2, 0)}",
        next_step=f"use a /{prefix} or larger",
        code="design.subnet_full",
    )
