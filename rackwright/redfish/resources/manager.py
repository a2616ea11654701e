"""A manager: the BMC itself.

Schema: https://redfish.dmtf.org/schemas/v1/Manager.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.links import link


class ManagerResource(NamedTuple):
    """What we read of a manager."""

    path: str
    kind: str
    firmware_version: str
    log_services: str = ""
    ports: str = ""
    """Collection of its own network ports."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> ManagerResource:
        """The record of a Manager `document`."""
        return cls(
            path=str(document.get("@odata.id") or ""),
            kind=str(document.get("ManagerType") or ""),
            firmware_version=str(document.get("FirmwareVersion") or ""),
            log_services=link(document, "LogServices"),
            ports=link(document, "DedicatedNetworkPorts"),
        )
