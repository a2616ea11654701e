"""The entry of a Redfish service.

Schema: https://redfish.dmtf.org/schemas/v1/ServiceRoot.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.links import link

SERVICE_ROOT = "/redfish/v1/"
"""Its path."""
SERVICES = ("Systems", "Chassis", "Managers", "AccountService", "UpdateService", "Registries")


class ServiceRoot(NamedTuple):
    """Where the collections are and what the service can do."""

    systems: str
    chassis: str
    managers: str
    updates: str
    """UpdateService: the way to the firmware inventory."""
    expands_members: bool
    """True when ``$expand=.`` with one level is offered: a collection then comes with its members."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> ServiceRoot:
        """The record of a ServiceRoot `document`."""
        features = document.get("ProtocolFeaturesSupported")
        offered = features.get("ExpandQuery") if isinstance(features, Mapping) else None
        expand = offered if isinstance(offered, Mapping) else {}
        return cls(
            systems=link(document, "Systems"),
            chassis=link(document, "Chassis"),
            managers=link(document, "Managers"),
            updates=link(document, "UpdateService"),
            expands_members=bool(expand.get("NoLinks")) and bool(expand.get("Levels")),
        )


def shows_services(document: Mapping[str, Any]) -> bool:
    """Whether the service root `document` links everything that is read of a machine: some BMCs show less of it before the log-in."""
    return all(link(document, name) for name in SERVICES)


def is_service_root(document: Mapping[str, Any]) -> bool:
    """Whether `document` is the root of a Redfish service: its type, or the version of the protocol, says so."""
    kind = document.get("@odata.type")
    return (isinstance(kind, str) and ".ServiceRoot" in kind) or isinstance(document.get("RedfishVersion"), str)


def sessions_path(document: Mapping[str, Any]) -> str:
    """Where a session is made; empty when the service root `document` offers none."""
    links = document.get("Links")
    offered = link(links, "Sessions") if isinstance(links, Mapping) else ""
    service = link(document, "SessionService")
    return offered or (f"{service.rstrip('/')}/Sessions" if service else "")
