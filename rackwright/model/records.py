"""The records of a node, some of them still on their sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from rackwright.model.base import Record
from rackwright.model.record_builder import FieldChoice
from rackwright.model.record_columns import Sheet


class OnSheet(NamedTuple):
    """A record that nobody has asked for yet."""

    sheet: Sheet
    place: int

    @property
    def record(self) -> Any:
        """The record itself."""
        return self.sheet.record(self.place)


Held = Record | OnSheet


class Records(Mapping[type[Record], Record]):
    """Records by type, each made once."""

    def __init__(self, held: dict[type[Record], Held]) -> None:
        """`held` becomes its own."""
        self._held = held

    def __getitem__(self, kind: type[Record]) -> Any:
        value = self._held[kind] = record(self._held[kind])
        return value

    def __iter__(self) -> Iterator[type[Record]]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def held(self, kind: type[Record]) -> Held | None:
        """What there is of a type, without making a record of it."""
        return self._held.get(kind)


def record(held: Held) -> Any:
    """The record of something held."""
    return held.record if isinstance(held, OnSheet) else held


def outline(held: Held, chosen: FieldChoice) -> Any:
    """The record of something held; of a record that nobody has asked for yet only the `chosen` fields are made."""
    return held.sheet.outline(held.place, chosen) if isinstance(held, OnSheet) else held


def read_field(held: Held, name: str) -> Any:
    """What one of its fields holds; of a record that nobody has asked for yet nothing else is made."""
    return held.sheet.field(held.place, name) if isinstance(held, OnSheet) else getattr(held, name)


def kind(held: Held) -> type[Record]:
    """Its type."""
    return held.sheet.kind if isinstance(held, OnSheet) else type(held)


def reading_name(kind: type[BaseModel]) -> str:
    """The name of a kind of record in findings, JSON and reports: its ``reading_name``, by default the name of the class."""
    return str(getattr(kind, "reading_name", kind.__name__))
