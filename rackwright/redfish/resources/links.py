"""Links between Redfish resources (``@odata.id``), and the members of a collection.

Schema: https://redfish.dmtf.org/schemas/v1/odata-v4.json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KINDS = (dict, Mapping)
"""`isinstance` recognises a dictionary at once, any other mapping only through its abstract class, which is slower."""


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
    return [str(path) for member in members if isinstance(member, KINDS) and (path := member.get("@odata.id"))]


def members(documents: Mapping[str, Mapping[str, Any]], collection: str) -> list[Mapping[str, Any]]:
    """The documents that the collection at path `collection` lists and that were read, in its order."""
    listed = (documents.get(collection) or {}).get("Members")
    if not isinstance(listed, list):
        return []
    paths = [str(member.get("@odata.id") or "") for member in listed if isinstance(member, KINDS)]
    return [documents[path] for path in paths if path and path in documents]
