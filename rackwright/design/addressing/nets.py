"""The networks of a site: one per fabric, or one per rail and plane of a compute fabric, with VLAN, VNI and P_Key."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rackwright.design.ports import Ints
from rackwright.design.topology import Network
from rackwright.design.topology.network import UNSET

HOST_BITS = 64
"""Every IPv6 network is a /64 (RFC 4291 section 2.5.4)."""


@dataclass(frozen=True)
class Net:
    """One network. `rail` and `plane` are -1 where the fabric has only one."""

    name: str
    fabric: str
    rail: int = UNSET
    plane: int = UNSET
    subnet: ipaddress.IPv4Network | None = None
    subnet6: ipaddress.IPv6Network | None = None
    vlan: int | None = None
    vni: int | None = None
    routed: tuple[ipaddress.IPv4Network, ...] = ()
    """Further subnets in which running hosts have addresses."""


def nets(network: Network) -> list[Net]:
    """The networks of a fabric, rail by rail within each plane; none for a fabric without subnet, VLAN or VNI."""
    fabric = network.fabric
    if not any((fabric.subnet, fabric.subnet6, fabric.vlan, fabric.vni)):
        return []
    keys = rails(network)
    four = divided(ipaddress.IPv4Network(fabric.subnet), len(keys)) if fabric.subnet else None
    six = _ipv6_networks(ipaddress.IPv6Network(fabric.subnet6), len(keys)) if fabric.subnet6 else None
    return [
        Net(
            _name(fabric.name, plane, rail),
            fabric.name,
            rail,
            plane,
            four[at] if four else None,
            six[at] if six else None,
            None if fabric.vlan is None else fabric.vlan + at,
            None if fabric.vni is None else fabric.vni + at,
            tuple(map(ipaddress.IPv4Network, fabric.routed_subnets)),
        )
        for at, (plane, rail) in enumerate(keys)
    ]


def rails(network: Network) -> list[tuple[int, int]]:
    """Plane and rail of every network of a fabric; more than one only for a compute fabric with several."""
    if network.fabric.role != "compute":
        return [(UNSET, UNSET)]
    pairs = {(wires.plane, rail) for wires in network.wires if wires.kind == "node_leaf" for rail in _rails(wires.rail)}
    railed = {key for key in pairs if key[1] != UNSET}  # cables of control servers belong to the rail of their port
    return sorted(railed or pairs) if len(railed or pairs) > 1 else [(UNSET, UNSET)]


def _rails(rail: Ints | None) -> Iterator[int]:
    yield from (int(number) for number in np.unique(rail)) if rail is not None else [UNSET]


def divided(subnet: ipaddress.IPv4Network, count: int) -> Sequence[ipaddress.IPv4Network]:
    """`subnet` in `count` equal parts (the next power of two); /32 parts, reused, when the subnet is too small."""
    bits = min((count - 1).bit_length(), 32 - subnet.prefixlen)
    parts = list(subnet.subnets(prefixlen_diff=bits))
    return [parts[at % len(parts)] for at in range(count)]


def _ipv6_networks(subnet: ipaddress.IPv6Network, count: int) -> Sequence[ipaddress.IPv6Network]:
    step = 1 << HOST_BITS
    base = int(subnet.network_address)
    return [ipaddress.IPv6Network((base + at * step, HOST_BITS)) for at in range(count)]


def _name(fabric: str, plane: int, rail: int) -> str:
    return "-".join(
        [fabric, *([f"p{plane + 1}"] if plane != UNSET else []), *([f"rail{rail + 1}"] if rail != UNSET else [])]
    )
