"""Subnets: real networks that do not overlap, and VLAN, VNI and P_Key ranges that stay apart."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from typing import TypeVar

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

IPV6_HOSTS = 64
"""A network of hosts is a /64 (RFC 4291 section 2.5.4)."""
NOT_FOR_HOSTS = {
    "0.0.0.0/8": "this network (RFC 6890)",
    "169.254.0.0/16": "link-local (RFC 6890)",
    "224.0.0.0/4": "multicast (RFC 5771)",
    "240.0.0.0/4": "reserved (RFC 6890)",
    "::/8": "reserved (RFC 4291)",
    "fe80::/10": "link-local (RFC 4291)",
    "ff00::/8": "multicast (RFC 4291)",
}
"""Ranges that no host may have an address of."""
LOOPBACKS = 29
"""The smallest range that has a part for every tier."""
IPV4 = 4
KEYS_OF_ETHERNET = ("vlan", "vni", "loopbacks")
KEYS_OF_INFINIBAND = ("partition_key",)
_Net = TypeVar("_Net", ipaddress.IPv4Network, ipaddress.IPv6Network)


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Malformed subnets, subnets with host bits set, and subnets that share addresses with another."""
    four = [(f"fabrics[{i}].subnet", fabric.name, fabric.subnet) for i, fabric in enumerate(site.fabrics)]
    loopbacks = [
        (f"fabrics[{i}].loopbacks", f"{fabric.name} loopbacks", fabric.loopbacks)
        for i, fabric in enumerate(site.fabrics)
    ]
    network = site.control.kubernetes.network if site.control.kubernetes else None
    cluster = [("pods", network.pods), ("services", network.services)] if network else []
    inside = [(f"control.kubernetes.network.{name}", name, text) for name, text in cluster]
    six = [(f"fabrics[{i}].subnet6", fabric.name, fabric.subnet6) for i, fabric in enumerate(site.fabrics)]
    routed = [
        (f"fabrics[{i}].routed_subnets[{n}]", f"{fabric.name} routed {n + 1}", text)
        for i, fabric in enumerate(site.fabrics)
        for n, text in enumerate(fabric.routed_subnets)
    ]
    yield from _overlaps([*four, *routed, *loopbacks, *inside], ipaddress.IPv4Network, "IPv4", "10.64.0.0/22")
    yield from _overlaps(six, ipaddress.IPv6Network, "IPv6", "fd00:64:0:1::/64")
    yield from _sizes(site)
    yield from _unusable_addresses([*four, *routed, *loopbacks, *inside, *six])
    yield from _routed_without_hosts(site)
    yield from _unused_keys(site)
    for what in ("vlan", "vni"):
        yield from _same_first(site, what)


def _routed_without_hosts(site: Site) -> Iterator[Problem]:
    """Routed subnets of fabrics whose addresses the design gives out itself."""
    for i, fabric in enumerate(site.fabrics):
        if fabric.routed_subnets and (fabric.role != "inband" or fabric.subnet is None):
            yield problem(
                f"fabrics[{i}].routed_subnets",
                "routed_subnets",
                f"fabric {fabric.name} cannot have routed subnets",
                "an in-band fabric with a subnet of its own for control servers",
                f"role {fabric.role}, subnet {fabric.subnet or 'none'}",
                "remove routed_subnets, or give the in-band fabric a subnet",
            )


def _overlaps(
    declared: list[tuple[str, str, str | None]], kind: Callable[[str], _Net], version: str, example: str
) -> Iterator[Problem]:
    earlier: dict[str, _Net] = {}
    for path, name, text in declared:
        if text is None:
            continue
        try:
            subnet = kind(text)
        except ValueError:
            yield _not_a_subnet(path, text, version, example)
            continue
        for other_name, earlier_net in earlier.items():
            if subnet.overlaps(earlier_net):
                message = f"the subnets of {other_name} and {name} overlap"
                actual = f"{earlier_net} and {subnet}"
                yield problem(path, "subnets_overlap", message, "subnets apart", actual, "choose another subnet")
        earlier[name] = subnet


def _not_a_subnet(path: str, text: str, version: str, example: str) -> Problem:
    try:
        corrected = str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        corrected = ""
    step = f"did you mean {corrected}?" if corrected else f"write it as {example}"
    expected = f"an {version} network, address and prefix, without host bits"
    return problem(path, "not_a_subnet", f"this is not an {version} network", expected, text, step)


def _unusable_addresses(declared: list[tuple[str, str, str | None]]) -> Iterator[Problem]:
    """Networks of which some addresses can be given to no host."""
    for path, _, text in declared:
        try:
            subnet = ipaddress.ip_network(text or "")
        except ValueError:
            continue
        for reserved_text, what in NOT_FOR_HOSTS.items():
            reserved = ipaddress.ip_network(reserved_text)
            if reserved.version == subnet.version and reserved.overlaps(subnet):
                message, expected = "these addresses are not for hosts", f"a network apart from {reserved_text}, {what}"
                private = "10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16" if subnet.version == IPV4 else "fd00::/8"
                yield problem(path, "not_for_hosts", message, expected, str(text), f"choose one out of {private}")
                break


def _unused_keys(site: Site) -> Iterator[Problem]:
    """Keys of Ethernet on InfiniBand and the other way round: no switch could be set to them."""
    for i, fabric in enumerate(site.fabrics):
        infiniband = fabric.transport == "infiniband"
        for key in KEYS_OF_ETHERNET if infiniband else KEYS_OF_INFINIBAND:
            if getattr(fabric, key) is not None:
                message = f"a fabric of transport {fabric.transport} has no use for {key}"
                expected = f"transport {'ethernet or roce' if infiniband else 'infiniband'}"
                step = f"remove {key}, or change transport"
                yield problem(f"fabrics[{i}].{key}", "unused_key", message, expected, fabric.transport, step)


def _sizes(site: Site) -> Iterator[Problem]:
    for i, fabric in enumerate(site.fabrics):
        for key, text, most in (("subnet6", fabric.subnet6, IPV6_HOSTS), ("loopbacks", fabric.loopbacks, LOOPBACKS)):
            length = text.rpartition("/")[2] if text else "0"
            if int(length) > most:
                message = f"this range of {fabric.name} is too small"
                expected, step = f"a /{most} or larger", f"use /{most}"
                yield problem(f"fabrics[{i}].{key}", "range_too_small", message, expected, f"a /{length}", step)


def _same_first(site: Site, what: str) -> Iterator[Problem]:
    first_fabric: dict[int, str] = {}
    for i, fabric in enumerate(site.fabrics):
        first = getattr(fabric, what)
        if first is None:
            continue
        if first in first_fabric:
            message = f"{first_fabric[first]} and {fabric.name} have the same {what}"
            step = f"give {fabric.name} another {what}"
            yield problem(f"fabrics[{i}].{what}", f"same_{what}", message, f"one {what} per fabric", str(first), step)
        first_fabric.setdefault(first, fabric.name)
