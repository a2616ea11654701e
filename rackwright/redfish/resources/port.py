"""A port of a network adapter.

Schema: https://redfish.dmtf.org/schemas/v1/Port.json
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

GUID_DIGITS = 16
NO_DIGIT = re.compile(r"^0x|[^0-9a-f]")


class Port(NamedTuple):
    """Addresses of a port; None where the port has none of that kind."""

    guid: str | None
    """InfiniBand port GUID, ``0x`` and 16 hex digits."""
    mac: str | None
    """Lower case, with colons."""
    identity: str = ""
    heard: tuple[str, str] | None = None
    """System and port at the other end of the cable (LLDPReceive)."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Port:
        """The record of a Port `document` (or of its predecessor NetworkPort)."""
        infiniband = (document.get("InfiniBand") or {}).get("AssociatedPortGUIDs") or [None]
        ethernet = document.get("Ethernet") or {}
        macs = ethernet.get("AssociatedMACAddresses") or document.get("AssociatedNetworkAddresses") or [None]
        return cls(
            guid=_guid(infiniband[0]),
            mac=str(macs[0]).lower() if macs[0] else None,
            identity=str(document.get("Id") or ""),
            heard=_lldp_neighbour(received) if (received := ethernet.get("LLDPReceive")) else None,
        )


def _guid(text: object) -> str | None:
    """BMCs print a GUID with or without ``0x``, and with colons or none."""
    digits = NO_DIGIT.sub("", str(text or "").lower())
    return f"0x{digits}" if len(digits) == GUID_DIGITS else None


def _lldp_neighbour(received: Mapping[str, Any]) -> tuple[str, str] | None:
    """A neighbour that says neither its name nor its port is none."""
    system, port = (str(received.get(name) or "") for name in ("SystemName", "PortId"))
    return (system, port) if system or port else None
