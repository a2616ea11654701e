"""A network adapter and the way to its ports.

Schema: https://redfish.dmtf.org/schemas/v1/NetworkAdapter.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.links import link, links
from rackwright.redfish.resources.status import Status
from rackwright.redfish.resources.text_members import word


class NetworkAdapter(NamedTuple):
    """What we read of an adapter."""

    identity: str
    ports: str
    functions: str = ""
    serial: str = ""
    slot: str = ""
    """As the housing is labelled (``PCIe Slot 1``); empty where it is not reported."""
    state: str = ""
    linked_ports: tuple[str, ...] = ()
    """Paths of the ports that its controllers link; empty where they link none."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> NetworkAdapter:
        """The record of a NetworkAdapter `document`; older BMCs call the ports NetworkPorts."""
        controllers = document.get("Controllers")
        places = [document, *(controllers if isinstance(controllers, list) else ())]
        return cls(
            identity=word(document, "Id"),
            ports=link(document, "Ports") or link(document, "NetworkPorts"),
            functions=link(document, "NetworkDeviceFunctions"),
            serial=word(document, "SerialNumber"),
            slot=next((label for place in places if (label := _label(place))), ""),
            state=Status.of(document).state,
            linked_ports=tuple(dict.fromkeys(path for place in places[1:] for path in _ports(place))),
        )


def _ports(controller: Mapping[str, Any]) -> list[str]:
    return links(controller, "Links", "Ports") or links(controller, "Links", "NetworkPorts")


def _label(document: Mapping[str, Any]) -> str:
    part = (document.get("Location") or {}).get("PartLocation") or {}
    return word(part, "ServiceLabel")
