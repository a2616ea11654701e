"""The entry of a Redfish service.

Schema: https://redfish.dmtf.org/schemas/v1/ServiceRoot.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.links import link

SERVICE_ROOT = "/redfish/v1/"
"""Its path."""


class ServiceRoot(NamedTuple):
    """Where the collections are and what the service can do."""

    systems: str
    chassis: str
    managers: str
    expands_members: bool
    """True when ``$expand=.`` with one level is offered: a collection then comes with its members."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> ServiceRoot:
        """The record of a ServiceRoot `document`."""
        expand = (document.get("ProtocolFeaturesSupported") or {}).get("ExpandQuery") or {}
        return cls(
            systems=link(document, "Systems"),
            chassis=link(document, "Chassis"),
            managers=link(document, "Managers"),
            expands_members=bool(expand.get("NoLinks")) and bool(expand.get("Levels")),
        )
