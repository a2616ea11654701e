"""Documents that a BMC lists and did not give, and what of a machine rests on each: every document stands or falls alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from rackwright.redfish.resources.shape import oddity

View = Mapping[str, Mapping[str, Any]]
UNREAD = "unread"
"""Key of the documents beside their paths: path -> why it was not read."""
READ_AT = "read_at"
"""Key of the documents beside their paths: ``managers`` -> when these were read, by the clock of the reading machine (ISO 8601)."""
BESIDE = {UNREAD, READ_AT}
CHASSIS = ("adapters", "supplies", "power", "sensors", "leak_detectors", "accelerators")
RESTS_ON: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern), parts)
    for pattern, parts in (
        (r"/LogServices(/|$)", ("log",)),
        (r"/Processors(/|$)", ("processors", "accelerators")),
        (r"/PCIeDevices(/|$)", ("accelerators",)),
        (r"/NetworkAdapters(/|$)", ("adapters",)),
        (r"/DedicatedNetworkPorts(/|$)", ("own_ports",)),
        (r"/LeakDetect", ("leak_detectors",)),
        (r"/ThermalSubsystem$", ("leak_detectors", "sensors")),
        (r"/(Sensors|Thermal|ThermalSubsystem)(/|$)", ("sensors",)),
        (r"/(PowerSubsystem|PowerSupplies)(/|$)", ("supplies",)),
        (r"/Power$", ("supplies", "power")),
        (r"/EnvironmentMetrics$", ("power",)),
        (r"/UpdateService(/|$)", ("firmware",)),
        (r"/Systems(/[^/]+)?$", ("system", "processors", "accelerators", "log")),
        (r"/Managers(/[^/]+)?$", ("managers", "log", "own_ports")),
        (r"/Chassis(/[^/]+)?$", CHASSIS),
    )
)
"""Names of resources as the schemas have them (DSP0268), the narrower first -> parts of `BmcEvidence` that rest on such a document."""
EVERYTHING = tuple(dict.fromkeys(part for _, parts in RESTS_ON for part in parts))


def sound(documents: View) -> tuple[View, dict[str, str]]:
    """The documents that can be gone by, and why each other one cannot: not read, or of other types than the schemas say."""
    lost = {path: str(reason) for path, reason in (documents.get(UNREAD) or {}).items()}
    odd = {path: words for path, document in documents.items() if path not in BESIDE and (words := oddity(document))}
    if not odd and not BESIDE & documents.keys():
        return documents, lost
    return {
        path: document for path, document in documents.items() if path not in odd and path not in BESIDE
    }, lost | odd


def by_part(lost: Mapping[str, str]) -> dict[str, str]:
    """By part of a machine: the documents that it lacks, in words."""
    parts: dict[str, list[str]] = {}
    for path, reason in sorted(lost.items()):
        for part in _parts(path):
            parts.setdefault(part, []).append(f"{path} ({reason})")
    return {part: _listed(entries) for part, entries in parts.items()}


def _parts(path: str) -> Iterable[str]:
    return next((parts for pattern, parts in RESTS_ON if pattern.search(path.partition("?")[0])), EVERYTHING)


def _listed(entries: list[str]) -> str:
    more = f" and {len(entries) - 2} more" if len(entries) > 2 else ""
    return ", ".join(entries[:2]) + more
