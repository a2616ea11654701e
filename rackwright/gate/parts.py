"""Which parts a node holds, and which of them a finding is about.

No record is known by name: everything in the evidence with a serial (or, for a network port, a GUID) is a part, so new kinds
of evidence bring their parts along.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel

from rackwright.model.check import NodeEvidence
from rackwright.model.records import reading_name
from rackwright.model.repair import Part
from rackwright.model.verdict import Verdict

SERIALS = ("serial", "serial_number", "port_guid")
PLACES = ("slot", "bay", "locator", "adapter", "name", "device")
MACHINE = "bmc"
UNKNOWN = ("", "unknown", "n/a", "not specified", "none", "to be filled by o.e.m.", "0")
"""What firmware reports instead of a missing serial (dmidecode prints the third and fifth)."""


def node_parts(evidence: NodeEvidence) -> list[Part]:
    """Every part of the node with a serial, without duplicates, the machine itself first."""
    parts_by_serial: dict[str, Part] = {}
    for record in evidence.records.values():
        for part_record, within in _walk(record, ""):
            part = _part(part_record, evidence.node, within)
            if part is not None:
                parts_by_serial.setdefault(part.serial, part)
    return sorted(parts_by_serial.values(), key=lambda part: (part.kind != MACHINE, part.kind, part.place, part.serial))


def concerned_parts(verdict: Verdict, members: Sequence[Part]) -> list[Part]:
    """The parts of the node that `verdict` names by serial or place; the machine itself if it names none."""
    text = verdict.observed
    matching = [part for part in members if any(_named(word, text) for word in (part.serial, part.place))]
    return matching or [part for part in members if part.kind == MACHINE]


def _named(word: str, text: str) -> bool:
    return bool(word) and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _walk(value: object, within: str) -> Iterator[tuple[BaseModel, str]]:
    """Every record below `value`, with the place of the record around it: a transceiver is found by its port."""
    if isinstance(value, BaseModel):
        yield value, within
        place = _first(value, PLACES) or within
        for name in type(value).model_fields:
            yield from _walk(getattr(value, name), place)
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
    kind = reading_name(type(record)).lower()
    index = getattr(record, "index", None)
    label = f"GPU {index}" if isinstance(index, int) else _first(record, PLACES)
    place = "" if kind == MACHINE else label or f"{within} {kind}".strip()
    return Part(serial=serial, kind=kind, place=place, node=node)


def _first(record: BaseModel, fields: Iterable[str]) -> str:
    values = (getattr(record, field, None) for field in fields)
    return next((str(value) for value in values if isinstance(value, str) and value), "")
