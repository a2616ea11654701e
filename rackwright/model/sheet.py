"""The records of one kind of several nodes, as columns of cells: JSON that is read only where somebody looks at it. Pure.

In: records, or cells. Out: a `Sheet`, its rows as records, and per row a key of some columns: rows with the same key hold the same there. What
a healthy fleet says alike is one cell for all rows, and nobody makes a record of what was said before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from typing import Any

from pydantic_core import from_json, to_json

from rackwright.model.base import Record
from rackwright.model.layout import ALIKE, Column, Path, Row, alike, columns, layout, members, shape

Cells = Mapping[Column, Sequence[bytes]]
"""By column: one cell when all rows hold the same, else one per row. A cell is a JSON list with the value of every part of that row, in order;
of a field that holds records it has their `shape`, and what packs itself as text is that text."""
Key = tuple[bytes, ...]


class Sheet:
    """Records of type `kind`, one per row."""

    def __init__(self, kind: type[Record], height: int, cells: Cells) -> None:
        self.kind, self.height, self.cells = kind, height, cells
        self._changing = _changing(one for one, own in cells.items() if len(own) > 1 and not one[1].startswith(ALIKE))
        self._keys: dict[int, tuple[Sequence[Column], list[Key]]] = {}
        self._last: tuple[int, Any] = -1, None
        self._same: dict[Column, list[Any]] = {}
        """What columns hold in which all rows are alike."""
        self._forms: dict[Path, list[Row]] = {}
        """Parts of the row that was read first: what does not change is taken from them."""
        self._steady: dict[Path, list[Record]] = {}
        """Parts in which nothing changes."""

    def keys(self, wanted: Sequence[Column]) -> list[Key]:
        """By row: what stands in the columns `wanted`, as something that can be compared."""
        known = self._keys.get(id(wanted))
        if known is None:
            own = (self.cells[column] for column in wanted)
            each = [cells if len(cells) > 1 else repeat(cells[0], self.height) for cells in own]
            found: list[Key] = list(zip(*each, strict=True)) if each else [()] * self.height
            known = wanted, found  # held, so that no other list can take its place in memory
            self._keys[id(wanted)] = known
        return known[1]

    def record(self, place: int) -> Any:
        """The record of a row; when all rows are alike they share one.

        Only the last one is held: who looks at one row after the other finds the memory of the last record still at hand.
        """
        if self._last[0] != place:
            [found] = self._parts(place, (), self.kind, 1)
            self._last = place, found
        return self._last[1]

    def _parts(self, place: int, path: Path, kind: type[Record], count: int) -> list[Record]:
        """All records at `path` of a row, of which there are `count`."""
        if path in self._steady:
            return self._steady[path]
        form, changing = self._forms.get(path), self._changing[path]
        rows = [row.copy() for row in form] if form else [dict.fromkeys(kind.model_fields) for _ in range(count)]
        if len(rows) != count:  # then all of their fields change
            rows = [dict.fromkeys(kind.model_fields) for _ in range(count)]
        for name in changing if form else kind.model_fields:
            for row, value in zip(rows, self._field(place, path, name, kind), strict=True):
                row[name] = value
        self._forms.setdefault(path, rows)
        found: list[Record] = kind.filled(rows)
        if not changing:
            self._steady[path] = found
        return found

    def _field(self, place: int, path: Path, name: str, kind: type[Record]) -> Sequence[Any]:
        """What one field of all parts at `path` holds."""
        values, own = self._values(place, (path, name)), layout(kind)
        if name in own.packed:
            return [own.packed[name].unpacked(one) for one in values]
        below = own.parts.get(name)
        if below is None:
            return values
        parts = self._parts(place, (*path, name), below, sum(map(_count, values)))
        if len(values) == 1 and type(values[0]) is int:  # one list, the commonest of all
            return [parts]
        return list(_held(values, iter(parts)))

    def _values(self, place: int, column: Column) -> list[Any]:
        cells = self.cells[column]
        if len(cells) > 1:
            return from_json(cells[place])  # type: ignore[no-any-return]
        if column not in self._same:
            self._same[column] = from_json(cells[0])
        return self._same[column]


def _changing(varying: Iterable[Column]) -> Mapping[Path, Collection[str]]:
    """By path: the fields of its parts that differ between rows, themselves or in what they hold."""
    found: dict[Path, dict[str, None]] = defaultdict(dict)
    for path, name in varying:
        fields = (*path, name)
        for depth, field in enumerate(fields):
            found[fields[:depth]][field] = None
    return found


def _held(shapes: Sequence[Any], parts: Iterator[Record]) -> Iterator[Any]:
    """What fields of these shapes hold, out of all `parts` in order."""
    for one in shapes:
        if isinstance(one, bool):
            yield None if one else next(parts)
        elif isinstance(one, int):
            yield list(islice(parts, one))
        else:
            yield {name: None if absent else next(parts) for name, absent in one}


def _count(shape: Any) -> int:
    """How many records something of that shape holds."""
    if isinstance(shape, bool):
        return not shape
    return shape if isinstance(shape, int) else sum(not absent for _, absent in shape)


def sheet(kind: type[Record], records: Sequence[Record]) -> Sheet:
    """`records`, of which there is at least one, as a sheet. ValueError for text that no JSON can hold."""
    rows = [_cells(kind, record) for record in records]
    cells = {}
    for place, column in enumerate(columns(kind)):
        cells[column] = once([row[place] for row in rows])
    return Sheet(kind, len(records), cells)


def once(cells: list[bytes]) -> list[bytes]:
    """One of `cells`, of which there is at least one, when they are all the same; else all of them."""
    return cells[:1] if cells.count(cells[0]) == len(cells) else cells


def _cells(kind: type[Record], record: Record) -> list[bytes]:
    """The cells of a record, in the order of `columns`."""
    found: list[bytes] = []
    rows: dict[Path, list[Row]] = {(): [record.__dict__]}
    kinds: dict[Path, type[Record]] = {(): kind}
    for path, name in columns(kind):
        if path not in rows:
            above = path[:-1]
            rows[path] = [one.__dict__ for row in rows[above] for one in members(row[path[-1]])]
            kinds[path] = layout(kinds[above]).parts[path[-1]]
        own = [row[name.removeprefix(ALIKE)] for row in rows[path]]
        if name.startswith(ALIKE):
            own = list(alike(own))
        elif name in layout(kinds[path]).parts:
            own = list(map(shape, own))
        elif name in layout(kinds[path]).packed:
            own = [one.packed() for one in own]
        found.append(to_json(own))
    return found
