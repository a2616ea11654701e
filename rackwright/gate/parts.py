"""Finds the parts of a node, and the parts that a finding is about.

No record is known by name: everything in the evidence with a serial (or, for a network port, a GUID) is a part, so
parts in new kinds of evidence are found as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import to_json

from rackwright.model.check import NodeEvidence
from rackwright.model.records import outline, reading_name
from rackwright.model.repair import PackedParts, Part, PartRow, unpacked_parts
from rackwright.model.verdict import Verdict

SERIALS = ("serial", "serial_number", "port_guid")
PLACES = ("slot", "bay", "locator", "adapter", "name", "device")
MACHINE = "bmc"
UNKNOWN = ("", "unknown", "n/a", "not specified", "none", "to be filled by o.e.m.", "0")
"""Values that firmware reports instead of a missing serial (dmidecode prints the third and fifth)."""


def node_parts(evidence: NodeEvidence) -> list[Part]:
    """Every part of the node with a serial, without duplicates, the machine itself first."""
    return NodeParts({evidence.node: NodeParts.pack(evidence)})[evidence.node]


class NodeParts(Mapping[str, list[Part]]):
    """Node -> its parts, stored packed: a large site has a million parts, and few are ever read."""

    def __init__(self, packed: Mapping[str, PackedParts]) -> None:
        """`packed` maps each node to the result of `pack`; empty for a node without evidence."""
        self.packed = packed

    @staticmethod
    def pack(evidence: NodeEvidence) -> PackedParts:
        """The parts of one node."""
        return to_json(_part_rows(evidence)).decode()

    def __getitem__(self, node: str) -> list[Part]:
        return unpacked_parts(node, self.packed[node])

    def __iter__(self) -> Iterator[str]:
        return iter(self.packed)

    def __len__(self) -> int:
        return len(self.packed)


def _part_rows(evidence: NodeEvidence) -> list[PartRow]:
    """The parts of a node, without duplicates, the machine itself first."""
    by_serial: dict[str, PartRow] = {}
    for kind in evidence.records:
        stored = evidence.held(kind) if _may_have_serials(kind) else None
        if stored is not None:
            _add_parts(outline(stored, _read_fields), "", by_serial)
    return sorted(by_serial.values(), key=lambda row: (row[0] != MACHINE, *row))


def concerned_parts(verdict: Verdict, members: Sequence[Part]) -> list[Part]:
    """The parts of the node that `verdict` names by serial or place; the machine itself if it names none."""
    text = verdict.observed
    matching = [part for part in members if any(_names_part(word, text) for word in (part.serial, part.place))]
    return matching or [part for part in members if part.kind == MACHINE]


def _names_part(word: str, text: str) -> bool:
    return bool(word) and word in text and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


@dataclass(frozen=True)
class _NamingFields:
    """The fields of a kind of record that are read here: a node has thousands of records, and few of them are parts."""

    kind: str
    """As in `Part.kind`."""
    serials: tuple[str, ...]
    places: tuple[str, ...]
    numbered: bool
    """Whether it has an index."""
    below: tuple[str, ...]
    """Fields that may hold records with serials."""


@cache
def _naming_fields(kind: type[BaseModel]) -> _NamingFields:
    serials, places, index = (
        tuple(name for name in names if name in kind.model_fields or hasattr(kind, name))
        for names in (SERIALS, PLACES, ("index",))
    )
    annotations: dict[str, Any] = {name: field.annotation for name, field in kind.model_fields.items()}
    below = tuple(name for name, annotation in annotations.items() if _may_have_serials(annotation))
    return _NamingFields(reading_name(kind).lower(), serials, places, bool(index), below)


@cache
def _read_fields(kind: type[BaseModel]) -> Collection[str]:
    """The fields of a kind of record that `_add_parts` and `_part_row` read; all fields if some of those are computed."""
    naming = _naming_fields(kind)
    read = {*naming.serials, *naming.places, *naming.below, *(["index"] if naming.numbered else [])}
    return [name for name in kind.model_fields if name in read] if read <= {*kind.model_fields} else kind.model_fields


@cache
def _may_have_serials(annotation: Hashable) -> bool:
    """Whether a value of this type, or anything below it, may be a record with a serial."""
    waiting: list[Any] = [annotation]
    kinds: set[type[BaseModel]] = set()
    while waiting:
        type_ = waiting.pop()
        if type_ in (Any, object, list, tuple, dict):
            return True
        if isinstance(type_, type) and issubclass(type_, BaseModel) and type_ not in kinds:
            if any(name in type_.model_fields or hasattr(type_, name) for name in SERIALS):
                return True
            kinds.add(type_)
            waiting += [*type_.__subclasses__(), *(field.annotation for field in type_.model_fields.values())]
        waiting += get_args(type_)
    return False


def _add_parts(value: object, within: str, by_serial: dict[str, PartRow]) -> None:
    """Add every record with a serial below `value`; `within` is the place of the record around it: a transceiver is
    found by its port.
    """
    if isinstance(value, (list, tuple)):
        for element in value:
            _add_parts(element, within, by_serial)
    elif isinstance(value, dict):
        for key, element in value.items():
            _add_parts(element, str(key), by_serial)
    elif isinstance(value, BaseModel):  # last, because isinstance of a pydantic class is slow
        fields = _naming_fields(type(value))
        row = _part_row(value, fields, within) if fields.serials else None
        if row is not None:
            by_serial.setdefault(row[-1], row)
        place = (_first(value, fields.places) if fields.below else "") or within
        for name in fields.below:
            _add_parts(getattr(value, name), place, by_serial)


def _part_row(part_record: BaseModel, fields: _NamingFields, within: str) -> PartRow | None:
    serial = _first(part_record, fields.serials)
    if serial.strip().lower() in UNKNOWN:
        return None
    kind = fields.kind
    index = part_record.index if fields.numbered else None  # type: ignore[attr-defined]
    label = f"GPU {index}" if isinstance(index, int) else _first(part_record, fields.places)
    place = "" if kind == MACHINE else label or f"{within} {kind}".strip()
    return kind, place, serial


def _first(part_record: BaseModel, fields: Iterable[str]) -> str:
    for field in fields:
        value = getattr(part_record, field, None)
        if isinstance(value, str) and value:
            return str(value)
    return ""
