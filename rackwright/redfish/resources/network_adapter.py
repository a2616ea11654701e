"""A network adapter and the way to its ports.

Schema: https://redfish.dmtf.org/schemas/v1/NetworkAdapter.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.links import link


class NetworkAdapter(NamedTuple):
    """What we read of an adapter."""

    identity: str
    ports: str

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> NetworkAdapter:
        """The record of a NetworkAdapter `document`; older BMCs call the ports NetworkPorts."""
        return cls(
            identity=str(document.get("Id") or ""),
            ports=link(document, "Ports") or link(document, "NetworkPorts"),
        )
