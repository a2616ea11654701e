"""Names and addresses of adopted hosts: the node of the design for each host, and a subnet in which nodes keep their
addresses.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from rackwright.adopt import DraftPool, fitting_subnet
from rackwright.model.design import Design
from rackwright.model.hostlist import short_name

SPARE_RANGE = "172.16.0.0/12"
"""Range for subnets that would overlap one that was read (RFC 1918)."""
KEPT = 15
"""Offsets at the start of a subnet that the design reserves for gateways and services."""
WIDEST = 8
"""Prefix length of the widest in-band subnet that is drafted (10.0.0.0/8)."""
ROUTED = 24
"""Prefix length of a subnet of running hosts, if no single subnet can hold them all."""
SERVICES = (2, 4)
"""Offsets in the in-band subnet that sizing gives to services."""
Data = dict[str, Any]


def node_names(expanded: Design, pools: Sequence[DraftPool]) -> dict[str, str]:
    """Host -> node: hosts in the order of their numbers, nodes of their pool in the order of the design."""
    by_pool: dict[str, list[str]] = {pool.name: [] for pool in pools}
    for node in expanded.nodes("accelerator"):
        by_pool[node.pool].append(node.name)
    return {host: name for pool in pools for host, name in zip(pool.hosts, by_pool[pool.name], strict=True)}


def at_addresses(data: Data, expanded: Design, pools: Sequence[DraftPool]) -> Data | None:
    """`data` with the in-band subnet in which the design gives the nodes the addresses at which they answered; None if
    none fits.
    """
    inband = next(fabric for fabric in data["fabrics"] if fabric["role"] == "inband")
    network = ipaddress.IPv4Network(inband["subnet"])
    names = node_names(expanded, pools)
    observed = answered_at(pools)
    offsets = {
        host: int(ipaddress.IPv4Address(expanded.node(names[host]).inband_address)) - int(network.network_address)
        for host in observed
    }
    fitting = fitting_subnet(offsets, observed, network.num_addresses - 2)
    return None if fitting is None or fitting == network else _moved_subnet(data, network, [fitting])


def with_hosts(data: Data, expanded: Design, pools: Sequence[DraftPool]) -> Data | None:
    """`data` with explicit hosts for pools whose nodes have other names or addresses than in the design; None if there
    are none.

    The in-band subnet becomes the smallest that holds every address and whose start is free for services and control
    servers. If there is none, services and control servers keep a separate subnet, and the hosts are in subnets that
    routers reach.
    """
    names, observed = node_names(expanded, pools), answered_at(pools)
    called = {reading.host: reading.name.lower() for pool in pools for reading in pool.readings}
    entries = {
        pool.name: [_entry(called.get(host, short_name(host)), observed.get(host, "")) for host in pool.hosts]
        for pool in pools
        if any(
            called.get(host, short_name(host)) != names[host]
            or observed.get(host, "") not in ("", expanded.node(names[host]).inband_address)
            for host in pool.hosts
        )
    }
    if not entries:
        return None
    inband = next(fabric for fabric in data["fabrics"] if fabric["role"] == "inband")
    network = ipaddress.IPv4Network(inband["subnet"])
    unhosted = [node.inband_address for node in expanded.nodes() if node.name not in names.values()]
    offsets = {
        *range(KEPT + 1),
        *(int(ipaddress.IPv4Address(text)) - int(network.network_address) for text in unhosted),
    }
    located = [address for address in observed.values() if address]
    wide = _smallest_network(located, offsets, network) if located else network
    if wide is None:
        changed = _routed_hosts(data, network, located)
    else:
        changed = deepcopy(data) if wide == network else _moved_subnet(data, network, [wide])
    for pool in changed["pools"]:
        if pool["name"] in entries:
            pool["hosts"] = entries[pool["name"]]
    return changed


def _entry(name: str, address: str) -> dict[str, str]:
    return {"name": name, **({"address": address} if address else {})}


def _smallest_network(
    addresses: Sequence[str], used: set[int], network: ipaddress.IPv4Network
) -> ipaddress.IPv4Network | None:
    """The smallest network with all `addresses`, none of them at an offset in `used`; `network` itself if it fits."""
    numbers = [int(ipaddress.IPv4Address(text)) for text in addresses]
    prefixes = range(network.prefixlen, WIDEST - 1, -1)
    around = (ipaddress.IPv4Network((numbers[0], prefix), strict=False) for prefix in prefixes)
    return next((chosen for chosen in (network, *around) if _network_holds(chosen, numbers, used)), None)


def _network_holds(network: ipaddress.IPv4Network, numbers: Sequence[int], used: set[int]) -> bool:
    base, last = int(network.network_address), network.num_addresses - 1
    return all(0 < number - base < last and number - base not in used for number in numbers)


def _routed_hosts(data: Data, network: ipaddress.IPv4Network, addresses: Sequence[str]) -> Data:
    """`data` with hosts in subnets that routers reach, each a /24, and a separate in-band subnet."""
    subnets = sorted({ipaddress.IPv4Network((address, ROUTED), strict=False) for address in addresses})
    home = _free_subnet(network, subnets)
    moved = _moved_subnet(data, network, [home, *subnets])
    inband = next(fabric for fabric in moved["fabrics"] if fabric["role"] == "inband")
    inband["routed_subnets"] = [str(subnet) for subnet in subnets]
    return moved


def _free_subnet(subnet: ipaddress.IPv4Network, used: Sequence[ipaddress.IPv4Network]) -> ipaddress.IPv4Network:
    """`subnet`, or one of its size in the spare range, that overlaps none in use."""
    options = [subnet, *ipaddress.IPv4Network(SPARE_RANGE).subnets(new_prefix=subnet.prefixlen)]
    return next(option for option in options if not any(option.overlaps(held) for held in used))


def _moved_subnet(data: Data, network: ipaddress.IPv4Network, subnets: Sequence[ipaddress.IPv4Network]) -> Data:
    """`data` with the first of `subnets` in place of the in-band subnet `network`, and other subnets moved so that
    nothing overlaps.
    """
    moved = deepcopy(data)
    used = list(subnets)
    for fabric in moved["fabrics"]:
        if fabric["role"] == "inband":
            fabric["subnet"] = str(subnets[0])
        elif "subnet" in fabric:
            used.append(_free_subnet(ipaddress.IPv4Network(fabric["subnet"]), used))
            fabric["subnet"] = str(used[-1])
    return _moved_services(moved, network, subnets[0])


def _moved_services(data: Data, old: ipaddress.IPv4Network, new: ipaddress.IPv4Network) -> Data:
    """`data` with the services at the start of the in-band subnet moved with it."""
    for number in SERVICES:
        before, after = str(old.network_address + number), str(new.network_address + number)
        data["software"]["apt_mirror"] = data["software"]["apt_mirror"].replace(f"//{before}:", f"//{after}:")
        control = data["control"]
        control["ntp_servers"] = [after if server == before else server for server in control["ntp_servers"]]
        if "kubernetes" in control:
            control["kubernetes"]["endpoint"] = control["kubernetes"]["endpoint"].replace(f"{before}:", f"{after}:")
    return data


def answered_at(pools: Sequence[DraftPool]) -> dict[str, str]:
    """Host -> its address, for every host that answered and whose name could be resolved."""
    return {reading.host: reading.address for pool in pools for reading in pool.readings if reading.address}
