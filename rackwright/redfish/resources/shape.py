"""Whether the members of a document have the types of the DMTF schemas (DSP8010 2025.1): a BMC that sends another type has sent nothing to go by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

OBJECTS = frozenset({
    "Actions", "Boot", "Ethernet", "InfiniBand", "LLDPReceive", "Links", "Location", "LowerCritical", "MemorySummary",
    "PartLocation", "PowerLimit", "PowerLimitWatts", "PowerMetrics", "PowerWatts", "ProcessorSummary", "Status",
    "Thresholds", "UpperCritical",
})  # fmt: skip
"""Members that are objects wherever they stand."""
REGISTRY_FILE = "#MessageRegistryFile."
"""Type of the one document whose ``Location`` is a list (DSP8011): of the files of a registry, by language."""
LISTS = frozenset({
    "Controllers", "FanRedundancy", "Fans", "Members", "PowerControl", "PowerSupplies", "PowerSupplyRedundancy", "Redundancy", "Temperatures",
})  # fmt: skip
"""Members that are lists of objects, or a link to a collection of them."""
TEXTS = frozenset({"AssociatedMACAddresses", "AssociatedNetworkAddresses", "AssociatedPortGUIDs"})
"""Members that are lists of texts."""
NOUNS = {
    str: "text",
    bool: "a truth value",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


def oddity(document: Mapping[str, Any]) -> str:
    """What is of another type, in words; empty where nothing is. A member that is null or absent is not."""
    registry = str(document.get("@odata.type", "")).startswith(REGISTRY_FILE)
    names = document.keys() - {"Location"} if registry else document.keys()
    return (
        next((words for name in names & OBJECTS if (words := _of_object(name, document[name]))), "")
        or next((words for name in names & LISTS if (words := _of_list(name, document[name]))), "")
        or next((words for name in names & TEXTS if (words := _of_texts(name, document[name]))), "")
    )


def _of_object(name: str, value: object) -> str:
    if value is None:
        return ""
    return oddity(value) if isinstance(value, dict) else _words(name, value, "an object")


def _of_list(name: str, value: object) -> str:
    if isinstance(value, list):
        return next((words for entry in value if (words := _of_entry(name, entry))), "")
    return "" if isinstance(value, dict | None) else _words(name, value, "a list")


def _of_entry(name: str, value: object) -> str:
    return _of_object(name, value) if isinstance(value, dict) else _words(f"an entry of {name}", value, "an object")


def _of_texts(name: str, value: object) -> str:
    if value is None or (isinstance(value, list) and all(isinstance(text, str | None) for text in value)):
        return ""
    return _words(name, value, "a list of texts")


def _words(name: str, value: object, expected: str) -> str:
    return f"{name} is {NOUNS.get(type(value), type(value).__name__)}, expected {expected}"
