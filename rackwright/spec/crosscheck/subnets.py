"""Subnets: real networks that do not overlap, and VLAN, VNI and P_Key ranges that stay apart."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from typing import TypeVar

from rackwright.catalog import Catalog
from rackwright.errors import Problem
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

IPV6_HOSTS = 64
"""A network of hosts is a /64 (RFC 4291 section 2.5.4)."""
LOOPBACKS = 29
"""The smallest range that has a part for every tier."""
_Net = TypeVar("_Net", ipaddress.IPv4Network, ipaddress.IPv6Network)


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Subnets that are none, that have host bits set, or that share addresses with another."""
    four = [(f"fabrics[{i}].subnet", one.name, one.subnet) for i, one in enumerate(site.fabrics)]
    loopbacks = [
        (f"fabrics[{i}].loopbacks", f"{one.name} loopbacks", one.loopbacks) for i, one in enumerate(site.fabrics)
    ]
    six = [(f"fabrics[{i}].subnet6", one.name, one.subnet6) for i, one in enumerate(site.fabrics)]
    yield from _apart([*four, *loopbacks], ipaddress.IPv4Network, "IPv4", "10.64.0.0/22")
    yield from _apart(six, ipaddress.IPv6Network, "IPv6", "fd00:64:0:1::/64")
    yield from _sizes(site)
    for what in ("vlan", "vni"):
        yield from _same_first(site, what)


def _apart(
    declared: list[tuple[str, str, str | None]], kind: Callable[[str], _Net], version: str, example: str
) -> Iterator[Problem]:
    seen: dict[str, _Net] = {}
    for path, name, text in declared:
        if text is None:
            continue
        try:
            subnet = kind(text)
        except ValueError:
            yield _not_a_subnet(path, text, version, example)
            continue
        for other_name, other in seen.items():
            if subnet.overlaps(other):
                message = f"the subnets of {other_name} and {name} overlap"
                found = f"{other} and {subnet}"
                yield problem(path, "subnets_overlap", message, "subnets apart", found, "choose another subnet")
        seen[name] = subnet


def _not_a_subnet(path: str, text: str, version: str, example: str) -> Problem:
    try:
        meant = str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        meant = ""
    step = f"did you mean {meant}?" if meant else f"write it as {example}"
    expected = f"an {version} network, address and prefix, without host bits"
    return problem(path, "not_a_subnet", f"this is not an {version} network", expected, text, step)


def _sizes(site: Site) -> Iterator[Problem]:
    for i, fabric in enumerate(site.fabrics):
        for key, text, most in (("subnet6", fabric.subnet6, IPV6_HOSTS), ("loopbacks", fabric.loopbacks, LOOPBACKS)):
            length = text.rpartition("/")[2] if text else "0"
            if int(length) > most:
                message = f"this range of {fabric.name} is too small"
                expected, step = f"a /{most} or larger", f"use /{most}"
                yield problem(f"fabrics[{i}].{key}", "range_too_small", message, expected, f"a /{length}", step)


def _same_first(site: Site, what: str) -> Iterator[Problem]:
    seen: dict[int, str] = {}
    for i, fabric in enumerate(site.fabrics):
        first = getattr(fabric, what)
        if first is None:
            continue
        if first in seen:
            message = f"{seen[first]} and {fabric.name} have the same {what}"
            step = f"give {fabric.name} another {what}"
            yield problem(f"fabrics[{i}].{what}", f"same_{what}", message, f"one {what} per fabric", str(first), step)
        seen.setdefault(first, fabric.name)
