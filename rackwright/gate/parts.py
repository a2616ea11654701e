"""Which parts a node holds, and which of them a finding is about.

It knows no record by name: whatever in the evidence bears a serial (or, for a network port, a GUID) is a part, so that new
kinds of evidence bring their parts along.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel

from rackwright.model.check import NodeEvidence
from rackwright.model.repair import Part
from rackwright.model.verdict import Verdict

SERIALS = ("serial", "serial_number", "port_guid")
PLACES = ("slot", "bay", "locator", "adapter", "name", "device")
MACHINE = "bmc"
UNKNOWN = ("", "unknown", "n/a", "not specified", "none", "to be filled by o.e.m.", "0")
"""What firmware says for a serial that it does not have (dmidecode prints the third and fifth)."""


def parts(seen: NodeEvidence) -> list[Part]:
    """Every part of the node that bears a serial, once, the machine itself first."""
    found: dict[str, Part] = {}
    for record in seen.records.values():
        for one, within in _walk(record, ""):
            part = _part(one, seen.node, within)
            if part is not None:
                found.setdefault(part.serial, part)
    return sorted(found.values(), key=lambda part: (part.kind != MACHINE, part.kind, part.place, part.serial))


def concerned(verdict: Verdict, members: Sequence[Part]) -> list[Part]:
    """The parts of the node that `verdict` names by serial or place; the machine itself when it names none."""
    text = verdict.observed
    named = [part for part in members if any(_named(word, text) for word in (part.serial, part.place))]
    return named or [part for part in members if part.kind == MACHINE]


def _named(word: str, text: str) -> bool:
    return bool(word) and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _walk(value: object, within: str) -> Iterator[tuple[BaseModel, str]]:
    """Every record below `value`, with the place of what it stands in: a transceiver is found by its port."""
    if isinstance(value, BaseModel):
        yield value, within
        here = _first(value, PLACES) or within
        for name in type(value).model_fields:
            yield from _walk(getattr(value, name), here)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _walk(item, within)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _walk(item, str(key))


def _part(record: BaseModel, node: str, within: str) -> Part | None:
    serial = _first(record, SERIALS)
    if serial.strip().lower() in UNKNOWN:
        return None
    kind = type(record).__name__.lower()
    index = getattr(record, "index", None)
    named = f"GPU {index}" if isinstance(index, int) else _first(record, PLACES)
    place = "" if kind == MACHINE else named or f"{within} {kind}".strip()
    return Part(serial=serial, kind=kind, place=place, node=node)


def _first(record: BaseModel, fields: Iterable[str]) -> str:
    values = (getattr(record, field, None) for field in fields)
    return next((str(value) for value in values if isinstance(value, str) and value), "")
