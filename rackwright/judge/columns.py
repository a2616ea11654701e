"""A record as columns: one field of all its parts at a time, so that records of many nodes can be compared by what a check reads.

A record of eight accelerators has one column for their
serial numbers and one for their ECC modes: the first differs on every node, the second on hardly any.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from rackwright.model.base import Record
from rackwright.model.layout import ALIKE, Column, Layout, Path, Row, equal_places, layout, members, shape

PACKED = 2
"""Version of `marshal` that writes equal values as equal bytes: later ones count how often an object is referred to."""


@dataclass(frozen=True, eq=False)
class Slot:
    """How one column is read, and a number for every value that it ever had."""

    path: Path
    key: Callable[[list[Row]], Hashable]
    """Of the parts of a record: the same for those whose columns are equal."""
    numbers: dict[Hashable, int] = field(default_factory=dict)


class Numbers:
    """The columns of one kind of records."""

    def __init__(self) -> None:
        self._slots: dict[Column, Slot] = {}

    def slot(self, column: Column, rows: Callable[[Path], tuple[Layout, list[Row]]]) -> Slot:
        """The slot of `column`; `rows` tells the layout of the records at its path."""
        if column not in self._slots:
            path, name = column
            self._slots[column] = Slot(path, _key(name, rows(path)[0]))
        return self._slots[column]


def _key(name: str, record_layout: Layout) -> Callable[[list[Row]], Hashable]:
    if name.startswith(ALIKE):
        label = itemgetter(name.removeprefix(ALIKE))
        return lambda rows: equal_places([label(row) for row in rows])
    field_of = itemgetter(name)
    if name in record_layout.parts:
        return lambda rows: tuple(shape(field_of(row)) for row in rows)
    if name in record_layout.nested or name in record_layout.floats:
        return lambda rows: _packed_key(tuple(map(field_of, rows)))
    return lambda rows: tuple(map(field_of, rows))


def _packed_key(values: tuple[Any, ...]) -> Hashable:
    """Bytes that are the same for the same lists, mappings and numbers: two zeros are equal and print differently, and so do 1 and 1.0."""
    try:
        return marshal.dumps(values, PACKED)
    except ValueError:  # an object of rackwright, which is compared with its like
        return tuple(_frozen(value) for value in values)


class Columns:
    """The columns of one record, each made when it is first asked for."""

    def __init__(self, record: Record, numbers: Numbers) -> None:
        self._numbers = numbers
        self._rows: dict[Path, tuple[Layout, list[Row]]] = {(): (layout(type(record)), [record.__dict__])}
        self.known: dict[Slot, int] = {}
        """The numbers of the columns that were read."""

    def slot(self, column: Column) -> Slot:
        """The slot of a column, by which it is found more quickly than by its name."""
        return self._numbers.slot(column, self._at)

    def find(self, slot: Slot) -> int:
        """The number of a column."""
        rows = self._rows.get(slot.path) or self._at(slot.path)
        numbers = slot.numbers
        number = self.known[slot] = numbers.setdefault(slot.key(rows[1]), len(numbers))
        return number

    def _at(self, path: Path) -> tuple[Layout, list[Row]]:
        if path not in self._rows:
            above, rows = self._at(path[:-1])
            name = path[-1]
            below = [part.__dict__ for row in rows for part in members(row[name])]
            self._rows[path] = layout(above.parts[name]), below
        return self._rows[path]


def _frozen(value: Any) -> Hashable:
    if isinstance(value, dict):
        return tuple((name, _frozen(element)) for name, element in value.items())
    return tuple(_frozen(element) for element in value) if isinstance(value, list) else value
