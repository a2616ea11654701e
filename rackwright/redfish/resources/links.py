"""Links between Redfish resources (``@odata.id``), and the members of a collection.

Schema: https://redfish.dmtf.org/schemas/v1/odata-v4.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KINDS = (dict, Mapping)
"""A dictionary is told at once, any other mapping only by its abstract class."""


def link(document: Mapping[str, Any], name: str) -> str:
    """The path under property `name` (``link(system, "Processors")``); empty when there is none."""
    value = document.get(name)
    return str(value.get("@odata.id") or "") if isinstance(value, KINDS) else ""


def links(document: Mapping[str, Any], *names: str) -> list[str]:
    """The paths in the array under nested property `names` (``links(system, "Links", "ManagedBy")``)."""
    value: Any = document
    for name in names:
        value = value.get(name) if isinstance(value, KINDS) else None
    members = value if isinstance(value, list) else []
    return [str(path) for one in members if isinstance(one, KINDS) and (path := one.get("@odata.id"))]


def members(documents: Mapping[str, Mapping[str, Any]], collection: str) -> list[Mapping[str, Any]]:
    """The documents that the collection at path `collection` lists and that were read, in its order."""
    listed = (documents.get(collection) or {}).get("Members")
    if not isinstance(listed, list):
        return []
    paths = [str(one.get("@odata.id") or "") for one in listed if isinstance(one, KINDS)]
    return [documents[path] for path in paths if path and path in documents]
