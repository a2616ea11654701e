"""Names that simulated hardware has of itself, repeatable, from the design alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from rackwright.model.design import Node


def identifier(*parts: str) -> str:
    """Twelve hex digits that depend on nothing but `parts`: serials, GUIDs and MACs of the twin are repeatable."""
    return hashlib.sha256("/".join(parts).encode()).hexdigest()[:12]


def system_uuid(serial: str) -> str:
    """UUID of the system board of the machine with this serial number, in small letters."""
    a, b = identifier(serial, "uuid"), identifier(serial, "board")
    return f"{a[:8]}-{a[8:12]}-4{b[:3]}-8{b[3:6]}-{identifier(serial, 'node')}"


def machine_serial(site: str, node: str) -> str:
    """Serial number of the machine that was delivered for `node`."""
    return identifier(site, node, "serial").upper()


def shipping_notice(site: str, nodes: Iterable[Node]) -> str:
    """The vendor's list of what was delivered for `nodes`, as CSV: machines that stand elsewhere, or not at all, are in it as well."""
    rows = (
        f"{machine_serial(site, node.name)},{node.name},{node.rack},{node.unit},{node.server.model}" for node in nodes
    )
    return "\n".join(["Serial Number,Host Name,Rack,U Position,Model", *rows, ""])


def bmc_mac(serial: str) -> str:
    """MAC of the BMC of the machine with this serial number, which goes where the machine goes."""
    digits = identifier(serial, "bmc")[:6]
    return "b8:3f:d2:" + ":".join(digits[i : i + 2] for i in (0, 2, 4))


def port_guid(site: str, node: str, port: str) -> str:
    """InfiniBand port GUID of an adapter, in the range of one maker."""
    return "0xb83fd203" + identifier(site, node, port)[:8]


def mac(site: str, node: str, name: str) -> str:
    """MAC of a port, in the range of one maker."""
    digits = identifier(site, node, name, "mac")[:6]
    return "b8:3f:d2:" + ":".join(digits[i : i + 2] for i in (0, 2, 4))
