"""The addresses that a sweep may contact: those of the declared BMC networks, without those that the design gives to anything but a BMC."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any

import polars as pl

from rackwright.base import yaml_text
from rackwright.base.errors import UsageError
from rackwright.model.design import Design

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@cache
def limits() -> dict[str, Any]:
    """``limits.yaml``."""
    values: dict[str, Any] = yaml_text.load(Path(__file__).with_name("limits.yaml").read_text(encoding="utf-8"))
    return values


@dataclass(frozen=True)
class BmcRanges:
    """The declared BMC networks, and what in them is declared."""

    networks: tuple[Network, ...]
    nodes: dict[str, str]
    """Address of a BMC -> its node."""
    devices: dict[str, str]
    """Address -> switch, rack PDU or CDU that has it: no BMC of a machine, and never contacted."""

    @classmethod
    def of(cls, design: Design) -> BmcRanges:
        """Those of `design`. UsageError where it declares no BMC network with a subnet."""
        fabrics = [fabric.name for fabric in design.site.fabrics if fabric.role == "bmc"]
        rows = design.networks.filter(pl.col("fabric").is_in(fabrics)).select("subnet", "subnet6").iter_rows()
        networks = tuple(ip_network(subnet) for row in rows for subnet in row if subnet)
        if not networks:
            raise UsageError(
                "the site declares no network of BMCs with a subnet: give the fabric of role bmc a subnet, then run again"
            )
        nodes = {node.bmc_address: node.name for node in design.nodes()}
        assigned = design.addresses.select("address", "device").iter_rows()
        devices = {address: device for address, device in assigned if address not in nodes}
        return cls(networks, nodes, devices)

    def covers(self, address: str) -> bool:
        """Whether `address` may be contacted."""
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return address not in self.devices and any(parsed in network for network in self.networks)

    def every(self) -> Iterator[str]:
        """Each address that is swept: of networks larger than ``most_addresses`` only those of declared BMCs."""
        yield from (address for address in self.nodes if self.covers(address))
        for network in self.networks:
            if network.num_addresses <= limits()["most_addresses"]:
                yield from (text for host in network.hosts() if self.covers(text := str(host)))


def plan_sweep(ranges: BmcRanges, leased: Iterable[str], chosen: str = "") -> tuple[list[str], list[str]]:
    """The addresses to contact, in order, and the `leased` ones that are outside of the declared ranges.

    `chosen` narrows it: addresses, ranges and networks with commas (``10.0.0.16-10.0.0.40,10.0.1.0/25``). UsageError for one that is outside.
    """
    leases = list(dict.fromkeys(leased))
    outside = [address for address in leases if not ranges.covers(address)]
    every: Iterable[str] = [*ranges.every(), *(address for address in leases if ranges.covers(address))]
    if chosen:
        spans = [_span(word, ranges) for word in chosen.split(",") if word.strip()]
        listed = (text for first, last in spans for text in _between(first, last) if ranges.covers(text))
        every = listed if spans else every
    return sorted(dict.fromkeys(every), key=_order), outside


def _span(word: str, ranges: BmcRanges) -> tuple[Address, Address]:
    """First and last address of ``A``, ``A-B`` or ``A/N``."""
    try:
        if "/" in word:
            network = ip_network(word.strip())
            first, last = network[0], network[-1]
        else:
            ends = [ip_address(end.strip()) for end in word.split("-")]
            first, last = ends[0], ends[-1]
    except ValueError as error:
        raise UsageError(
            f"--addresses {word}: {error}; expected an address, A-B or a network such as 10.0.0.0/24"
        ) from None
    inside = any(first in network and last in network for network in ranges.networks)
    if not inside or first.version != last.version or int(first) > int(last):
        declared = ", ".join(map(str, ranges.networks))
        raise UsageError(f"--addresses {word}: not a part of the declared networks of BMCs ({declared})")
    if int(last) - int(first) >= limits()["most_addresses"]:
        raise UsageError(
            f"--addresses {word}: more than {limits()['most_addresses']:,} addresses; give a smaller range"
        )
    return first, last


def _between(first: Address, last: Address) -> Iterator[str]:
    return (str(first + step) for step in range(int(last) - int(first) + 1))


def _order(address: str) -> tuple[int, int]:
    parsed = ip_address(address)
    return parsed.version, int(parsed)
