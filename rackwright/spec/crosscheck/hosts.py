"""Hosts that run already (`pools[].hosts`): one entry per node, names once, addresses once and in the in-band subnet."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Entries that no node can have."""
    names: set[str] = set()
    addresses: set[str] = set()
    for at, pool in enumerate(site.pools):
        if pool.hosts and len(pool.hosts) != pool.count:
            path, expected = f"pools[{at}].hosts", f"{pool.count} entries, as count says"
            yield problem(
                path, "host_count", "not every node has an entry", expected, str(len(pool.hosts)), "list all or none"
            )
        for number, host in enumerate(pool.hosts):
            path = f"pools[{at}].hosts[{number}]"
            if host.name in names:
                yield _repeated_value(f"{path}.name", host.name)
            if host.address and host.address in addresses:
                yield _repeated_value(f"{path}.address", host.address)
            names.add(host.name)
            addresses.add(host.address)
            if host.address:
                yield from _bad_addresses(site, pool.name, f"{path}.address", host.address)


def _repeated_value(path: str, value: str) -> Problem:
    return problem(path, "host_twice", "two hosts have it", "one of its own", value, "correct one of them")


def _bad_addresses(site: Site, pool: str, path: str, text: str) -> Iterator[Problem]:
    """A malformed address, or one in no in-band subnet of the pool."""
    subnets = [
        ipaddress.IPv4Network(subnet, strict=False)
        for fabric in site.fabrics
        if fabric.role == "inband" and (not fabric.pools or pool in fabric.pools)
        for subnet in (*([fabric.subnet] if fabric.subnet else []), *fabric.routed_subnets)
    ]
    try:
        address = ipaddress.IPv4Address(text)
    except ValueError:
        yield problem(path, "host_address", "not an IPv4 address", "as 10.0.0.32", text, "write the address")
        return
    usable = any(
        address in subnet and address not in (subnet.network_address, subnet.broadcast_address) for subnet in subnets
    )
    if not usable:
        listed = ", ".join(map(str, subnets)) or "no in-band fabric of the pool has a subnet"
        step = "correct the address, widen the subnet of the in-band fabric, or add its subnet to routed_subnets there"
        yield problem(path, "host_outside", "not an address of the in-band subnet", listed, text, step)
