"""A manager: the BMC itself.

Schema: https://redfish.dmtf.org/schemas/v1/Manager.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.links import link
from rackwright.redfish.resources.text_members import word


class ManagerResource(NamedTuple):
    """What we read of a manager."""

    path: str
    kind: str
    firmware_version: str
    log_services: str = ""
    ports: str = ""
    """Collection of its own network ports."""
    interfaces: str = ""
    """Collection of the network interfaces that it listens on."""
    time: str = ""
    """What its clock said when it was read, ISO 8601; empty where it does not say."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> ManagerResource:
        """The record of a Manager `document`."""
        return cls(
            path=word(document, "@odata.id"),
            kind=word(document, "ManagerType"),
            firmware_version=word(document, "FirmwareVersion"),
            log_services=link(document, "LogServices"),
            ports=link(document, "DedicatedNetworkPorts"),
            interfaces=link(document, "EthernetInterfaces"),
            time=word(document, "DateTime"),
        )
