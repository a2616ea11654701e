"""The records of one kind of several nodes, as columns of cells: JSON that is parsed only when it is read.

A value that all rows share is one cell, and records that equal an earlier one are not built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any

from pydantic_core import to_json

from rackwright.model.base import Record
from rackwright.model.layout import ALIKE, Column, Path, Row, columns, equal_places, layout, members, shape
from rackwright.model.record_builder import NOTHING, FieldChoice, Maker

Cells = Mapping[Column, Sequence[str]]
"""By column: one cell when all rows hold the same, else one per row. A cell is a JSON list with the value of every part of that row, in order;
of a field that holds records it has their `shape`, and what packs itself as text is that text."""
Key = tuple[str, ...]


class Sheet:
    """Records of type `kind`, one per row."""

    def __init__(self, kind: type[Record], height: int, cells: Cells) -> None:
        self.kind, self.height, self.cells = kind, height, cells
        self._keys: dict[int, tuple[Sequence[Column], list[Key]]] = {}
        self._last: tuple[int, Any] = -1, None
        self._ready: dict[int, Row] = {}
        """By row: the fields that were read alone."""
        self._outlines: dict[FieldChoice, Maker] = {}

    def keys(self, columns: Sequence[Column]) -> list[Key]:
        """One comparable key per row: its cells in `columns`."""
        cached = self._keys.get(id(columns))
        if cached is None:
            chosen = (self.cells[column] for column in columns)
            each = [cells if len(cells) > 1 else repeat(cells[0], self.height) for cells in chosen]
            keys: list[Key] = list(zip(*each, strict=True)) if each else [()] * self.height
            cached = columns, keys  # `columns` is held, so that no other list can get the same id
            self._keys[id(columns)] = cached
        return cached[1]

    def record(self, place: int) -> Any:
        """The record of a row; equal rows share one record.

        Only the last record is cached, because rows are read one after the other.
        """
        if self._last[0] != place:
            [latest] = self._maker.records(place, 1, self._ready.get(place, NOTHING))
            self._last = place, latest
        return self._last[1]

    def outline(self, place: int, chosen: FieldChoice) -> Any:
        """The record of a row with only the `chosen` fields at every depth; other fields do not exist on it."""
        if chosen not in self._outlines:
            self._outlines[chosen] = Maker(self.cells, self.kind, chosen=chosen)
        [record] = self._outlines[chosen].records(place, 1)
        return record

    def field(self, place: int, name: str) -> Any:
        """Value of one field of the record of a row; other fields are not built. `record` uses it again."""
        fields = self._ready.setdefault(place, {})
        if name not in fields:
            fields[name] = self._maker.field(place, name)
        return fields[name]

    @cached_property
    def _maker(self) -> Maker:
        return Maker(self.cells, self.kind)


def sheet(kind: type[Record], records: Sequence[Record]) -> Sheet:
    """`records` (at least one) as a sheet. ValueError for text that JSON cannot hold."""
    rows = [_cells(kind, record) for record in records]
    cells = {}
    for place, column in enumerate(columns(kind)):
        cells[column] = one_if_equal([row[place] for row in rows])
    return Sheet(kind, len(records), cells)


def one_if_equal(cells: list[str]) -> list[str]:
    """The first of `cells` (at least one) as a list if all are equal; else all of them."""
    return cells[:1] if cells.count(cells[0]) == len(cells) else cells


def _cells(kind: type[Record], record: Record) -> list[str]:
    """The cells of a record, in the order of `columns`."""
    cells: list[str] = []
    rows: dict[Path, list[Row]] = {(): [record.__dict__]}
    kinds: dict[Path, type[Record]] = {(): kind}
    for path, name in columns(kind):
        if path not in rows:
            above = path[:-1]
            rows[path] = [member.__dict__ for row in rows[above] for member in members(row[path[-1]])]
            kinds[path] = layout(kinds[above]).parts[path[-1]]
        values = [row[name.removeprefix(ALIKE)] for row in rows[path]]
        if name.startswith(ALIKE):
            values = list(equal_places(values))
        elif name in layout(kinds[path]).parts:
            values = list(map(shape, values))
        elif name in layout(kinds[path]).packed:
            values = [value.packed() for value in values]
        cells.append(to_json(values).decode())
    return cells
