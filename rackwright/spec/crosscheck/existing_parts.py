"""Existing equipment against catalog and networks: known parts, units that racks have, ports that parts have, addresses in a subnet."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model import lanes
from rackwright.model.site import Site
from rackwright.model.sku import Server, Switch
from rackwright.spec.crosscheck.problem import problem, unknown_name

Part = Server | Switch
LINK = "nvlink"
"""Links of accelerators to NVSwitch trays."""
RECORD = "correct the record, or write what stands anew: `rackwright export --to existing`"


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Devices, then addresses, then cables."""
    parts = {device.device: _part(catalog, device.sku) for device in site.existing.devices}
    yield from _devices(site, catalog)
    yield from _addresses(site)
    yield from _cables(site, parts)


def _part(catalog: Catalog, sku: str) -> Part | None:
    return catalog.servers.get(sku) or catalog.switches.get(sku)


def _devices(site: Site, catalog: Catalog) -> Iterator[Problem]:
    skus = [*catalog.servers, *catalog.switches, *catalog.devices]
    tallest = max(rack.rack_units for rack in catalog.racks.values())
    unknown = set()
    for i, device in enumerate(site.existing.devices):
        if device.sku not in skus and device.sku not in unknown:
            unknown.add(device.sku)
            yield from unknown_name(f"existing.devices[{i}].sku", "part", device.sku, skus)
        part = _part(catalog, device.sku)
        top = device.unit + (part.rack_units if part else 1) - 1
        if top > tallest:
            path, slot = f"existing.devices[{i}].unit", f"U{device.unit} to U{top}"
            yield problem(
                path, "no_such_unit", "no rack is as tall", f"a slot up to U{tallest}", slot, "correct the unit"
            )


def _addresses(site: Site) -> Iterator[Problem]:
    standing = site.existing
    listed = [
        (f"existing.devices[{i}].addresses[{at}]", address)
        for i, device in enumerate(standing.devices)
        for at, address in enumerate(device.addresses)
    ]
    listed += [(f"existing.plant[{i}].address", plant.address) for i, plant in enumerate(standing.plant)]
    subnets = _subnets(site) if listed else []
    for path, text in listed:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            yield problem(path, "no_address", "this is no address", "an IP address such as 10.64.0.16", text, RECORD)
            continue
        if not any(address in subnet for subnet in subnets):
            expected = f"an address in one of {', '.join(map(str, subnets))}" if subnets else "a fabric with a subnet"
            yield problem(path, "outside_subnets", "no network of the site has this address", expected, text, RECORD)


def _subnets(site: Site) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    texts = [
        text
        for fabric in site.fabrics
        for text in (fabric.subnet, fabric.subnet6, fabric.loopbacks, *fabric.routed_subnets)
        if text
    ]
    return [ipaddress.ip_network(text) for text in dict.fromkeys(texts)]


def _cables(site: Site, parts: dict[str, Part | None]) -> Iterator[Problem]:
    """Ports of the devices that are listed; those of others are compared with the design."""
    ports = {part.sku: lanes.port_names(site, part) for part in parts.values() if part}
    for i, cable in enumerate(site.existing.cables):
        for side, end in (("a", cable.a), ("b", cable.b)):
            device, _, port = end.partition(":")
            part = parts.get(device)
            if part and port not in ports[part.sku] and not port.startswith(LINK):
                some = sorted(ports[part.sku], key=lambda name: (len(name), name))
                expected = (
                    f"a port of {part.sku}: {some[0]} to {some[-1]}" if some else f"no cable: {part.sku} has no port"
                )
                message = f"{device} has no such port"
                yield problem(f"existing.cables[{i}].{side}", "no_such_port", message, expected, port, RECORD)
