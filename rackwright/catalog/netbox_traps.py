"""Doubts about a NetBox device type: each flag states what the file prints and why it is probably wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rackwright.catalog import netbox_ports
from rackwright.catalog.netbox_file import DeviceType
from rackwright.model.parts import Part
from rackwright.model.sku import Server, Switch

_KILOWATTS = re.compile(r"(\d+(?:\.\d+)?) ?kW", re.IGNORECASE)
_INFINIBAND_MODEL = re.compile(r"\bM?(QM\d{4}|Q3\d{3}|SB7\d{3})", re.IGNORECASE)
"""NVIDIA's InfiniBand switches; older NetBox had no interface type for them, so the files say Ethernet."""
_SWITCH_PORT = re.compile(r"^(Ethernet|Eth|swp)\d+(/\d+)*$")
MOST_SERVER_PORTS = 24
"""More Ethernet ports with switch names than that are a switch's template in a server's file."""


def speaks_infiniband(device: DeviceType) -> bool:
    """True for a model that is known to be an InfiniBand switch, whatever its interface types say."""
    return bool(_INFINIBAND_MODEL.search(device.model))


def find_doubts(device: DeviceType, kind: str, ours: Part | None) -> Iterator[str]:
    """Every doubt, one sentence each."""
    yield from _names(device)
    yield from _ports(device, kind, ours)
    yield from _power(device, ours)
    if ours is not None and ours.kind != kind:
        yield f"the catalog knows {ours.sku} as a {ours.kind}, not as a {kind}"


def _names(device: DeviceType) -> Iterator[str]:
    names = Counter(interface.name for interface in device.interfaces)
    twice = sorted(name for name, count in names.items() if count > 1)
    if twice:
        yield f"interface names stand twice: {', '.join(twice)}"
    missing = netbox_ports.gaps([interface.name for interface in device.interfaces if not interface.mgmt_only])
    if missing:
        yield f"the numbering of the ports has gaps: {', '.join(missing)} would be in them"
    for interface in netbox_ports.unread(device.interfaces):
        yield f"interface {interface.name} has the type {interface.type}, which says no rate that a part can have"


def _ports(device: DeviceType, kind: str, ours: Part | None) -> Iterator[str]:
    data = sum(len(group.names) for group in netbox_ports.groups(device.interfaces))
    if isinstance(ours, Switch):
        count = ours.ports.count + (ours.uplinks.count if ours.uplinks else 0)
        if data != count:
            yield f"lists {data} ports; {ours.sku} has {count}"
    if speaks_infiniband(device) and any(
        group.transport == "ethernet" for group in netbox_ports.groups(device.interfaces)
    ):
        yield f"the interface types are Ethernet, but {device.model} is an InfiniBand switch"
    switch_like = sum(bool(_SWITCH_PORT.match(interface.name)) for interface in device.interfaces)
    if kind == "server" and switch_like > MOST_SERVER_PORTS:
        yield f"{switch_like} interfaces are named and counted like those of a switch"


def _power(device: DeviceType, ours: Part | None) -> Iterator[str]:
    draws = [port.maximum_draw for port in device.power_ports if port.maximum_draw is not None]
    total = sum(draws)
    stated = [float(text) * 1000 for text in _KILOWATTS.findall(device.comments)]
    if draws and stated and max(stated) > total:
        yield f"the power ports add up to {total:.0f} W, the comments of the file say {max(stated):.0f} W"
    if draws and isinstance(ours, (Server, Switch)) and total < ours.peak_watts:
        yield f"the power ports add up to {total:.0f} W; {ours.sku} draws up to {ours.peak_watts} W"
    if isinstance(ours, (Server, Switch)) and device.power_ports and len(device.power_ports) != ours.psus.count:
        yield f"lists {len(device.power_ports)} power ports; {ours.sku} has {ours.psus.count} power supplies"
    if device.is_powered and not device.power_ports and not device.module_bays and not device.power_outlets:
        yield "is powered but lists no power port"
