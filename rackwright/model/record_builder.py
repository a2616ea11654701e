"""Builds records from cells, row by row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from rackwright.model.base import Record
from rackwright.model.cell_types import CellReader, cell_reader
from rackwright.model.layout import Column, Path, Row, layout

FieldChoice = Callable[[type[Record]], Collection[str]]
"""Which fields of a kind of record are made, in their order."""
NOTHING: Row = {}


class _Field(NamedTuple):
    """One field of all parts at a path."""

    name: str
    cells: Sequence[str]
    same: list[Any] | None
    """Value in all rows, if it is the same in all; else None."""
    read: CellReader
    unpacked: Callable[[str], Any] | None
    below: Maker | None
    """Of a field that holds records."""

    def most(self, place: int) -> int:
        """Upper bound on the number of parts in a row, without parsing it."""
        return len(self.cells[place]) if self.same is None else len(self.same)

    def values(self, place: int) -> Sequence[Any]:
        """Values of a row, part by part."""
        values = self.read(self.cells[place]) if self.same is None else self.same
        if self.unpacked is not None:
            return [self.unpacked(value) for value in values]
        if self.below is None:
            return values
        parts = self.below.records(place, sum(map(_count, values)))
        if len(values) == 1 and type(values[0]) is int:  # one list, the commonest of all
            return [parts]
        return list(_rebuilt_fields(values, iter(parts)))


def every_field(kind: type[Record]) -> Collection[str]:
    """All fields of a kind of record."""
    return kind.model_fields


class Maker:
    """Builds the records of type `kind` at one path of a sheet, with the `chosen` fields."""

    def __init__(
        self,
        cells: Mapping[Column, Sequence[str]],
        kind: type[Record],
        path: Path = (),
        chosen: FieldChoice = every_field,
    ) -> None:
        self._kind = kind
        self._fields = [_field(cells, kind, path, name, chosen) for name in chosen(kind)]
        self._changing = [
            field for field in self._fields if field.same is None or (field.below and field.below.changes)
        ]
        self._form: list[Row] | None = None
        """The parts of the row that was read first: what does not change is taken from them."""
        self._steady: list[Any] | None = None
        """All parts, when nothing changes in them."""

    @property
    def changes(self) -> bool:
        """Whether rows differ in any field, here or in nested records."""
        return bool(self._changing)

    def field(self, place: int, name: str) -> Any:
        """Value of one field of the only record in a row; other fields are not built."""
        [value] = next(field for field in self._fields if field.name == name).values(place)
        return value

    def records(self, place: int, count: int, ready: Row = NOTHING) -> list[Any]:
        """The `count` records of a row, of which `ready` holds fields that were built before. ValueError if its cells hold fewer parts.

        With `ready`, `count` is 1.
        """
        if self._steady is not None:
            return self._steady
        form = self._form
        if form is not None and len(form) == count:
            rows, fields = [row.copy() for row in form], self._changing
        else:
            if count > self._fields[0].most(place):  # cells of evidence from elsewhere may claim any number
                raise ValueError(f"{count} parts, of which {self._fields[0].name} holds fewer")
            empty = dict.fromkeys(field.name for field in self._fields)
            rows, fields = [empty.copy() for _ in range(count)], self._fields
        for field in fields:
            name = field.name
            values = [ready[name]] if name in ready else field.values(place)
            for row, value in zip(rows, values, strict=True):
                row[name] = value
        if form is None:
            self._form = rows
        records = self._kind.filled(rows)
        if not self._changing:
            self._steady = records
        return records


def _field(
    cells: Mapping[Column, Sequence[str]], kind: type[Record], path: Path, name: str, chosen: FieldChoice
) -> _Field:
    column_cells, held = cells[path, name], layout(kind)
    below = Maker(cells, held.parts[name], (*path, name), chosen) if name in held.parts else None
    unpacked = held.packed[name].unpacked if name in held.packed else None
    read = cell_reader(kind, name)
    return _Field(name, column_cells, read(column_cells[0]) if len(column_cells) == 1 else None, read, unpacked, below)


def _rebuilt_fields(shapes: Sequence[Any], parts: Iterator[Record]) -> Iterator[Any]:
    """Values of fields with these shapes, filled with `parts` in order."""
    for shape in shapes:
        if isinstance(shape, bool):
            yield None if shape else next(parts)
        elif isinstance(shape, int):
            yield list(islice(parts, shape))
        else:
            yield {name: None if absent else next(parts) for name, absent in shape}


def _count(shape: Any) -> int:
    """Number of records in a value of this shape (`layout.shape`)."""
    if isinstance(shape, bool):
        return not shape
    return shape if isinstance(shape, int) else sum(not absent for _, absent in shape)
