"""The unpacked size of a Parquet file, read from its footer and the headers of its pages before anything is unpacked.

A footer may contain any numbers, so only those count by which Polars allocates memory: the rows of each group, and the
unpacked size of each page. Metadata is Thrift in its compact protocol (apache/parquet-format, `parquet.thrift`;
apache/thrift, `doc/specs/thrift-compact-protocol.md`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

Struct = dict[int, Any]
"""Field number -> value."""
MAGIC = b"PAR1"
END = 8
"""Bytes after the footer: its length and the magic word."""
TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
INTEGERS = (4, 5, 6)
DEEPEST = 16
"""Deepest nesting of structures; the footer of a flat table has six levels."""
ROW_GROUPS, COLUMNS, META_DATA, DICTIONARY_PAGE, DATA_PAGE = 4, 1, 3, 11, 9
ROWS_OF_GROUP, PACKED_CHUNK = 3, 7
UNPACKED_PAGE, PACKED_PAGE = 2, 3
OLD_DATA, NEW_DATA, VALUES = 5, 8, 1


class ParquetSize(NamedTuple):
    """Size of a whole file."""

    cells: int
    """Number of values of all columns."""
    unpacked: int
    """Unpacked bytes of all pages."""


def parquet_size(content: bytes) -> ParquetSize:
    """The size of the Parquet file in `content`. ValueError if it is not such a file."""
    length = int.from_bytes(content[-END:-4], "little")
    if len(content) < length + END + len(MAGIC) or content[-4:] != MAGIC:
        raise ValueError("no Parquet file")
    try:
        groups = _Reader(content, len(content) - END - length).struct()[ROW_GROUPS]
        rows = [_count(group[ROWS_OF_GROUP]) for group in groups]
        columns = [
            (count, column[META_DATA]) for count, group in zip(rows, groups, strict=True) for column in group[COLUMNS]
        ]
        unpacked = sum(_unpacked(content, chunk, count) for count, chunk in columns)
    except (IndexError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"the footer of a Parquet file is malformed: {error!r}") from None
    return ParquetSize(sum(count for count, _ in columns), unpacked)


def _unpacked(content: bytes, chunk: Struct, rows: int) -> int:
    """Unpacked bytes of the pages of a column chunk in a group of `rows` rows."""
    place = _count(chunk[DICTIONARY_PAGE if DICTIONARY_PAGE in chunk else DATA_PAGE])
    end = place + _count(chunk[PACKED_CHUNK])
    size = values = 0
    while place < end:
        reader = _Reader(content, place)
        page = reader.struct()
        size += _count(page[UNPACKED_PAGE])
        values += sum(_count(page[kind][VALUES]) for kind in (OLD_DATA, NEW_DATA) if kind in page)
        place = reader.place + _count(page[PACKED_PAGE])
    if values != rows:
        raise ValueError(f"a column of a Parquet file has {values} values in {rows} rows")
    return size


def _count(number: int) -> int:
    if number < 0:
        raise ValueError("a Parquet file counts below zero")
    return number


@dataclass
class _Reader:
    """Reads Thrift values from `place` on."""

    content: bytes
    place: int

    def struct(self, depth: int = 0) -> Struct:
        """A structure with all nested values."""
        if depth > DEEPEST:
            raise ValueError(f"the footer of a Parquet file nests deeper than {DEEPEST} levels")
        fields: Struct = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            fields[number] = self._value(head & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind in INTEGERS:
            return self._integer()
        if kind == STRUCT:
            return self.struct(depth + 1)
        if kind in (LIST, SET):
            return self._list(depth)
        sizes = {BYTE: 1, DOUBLE: 8}
        return self._bytes(self._varint() if kind == BINARY else sizes[kind])

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        count = self._varint() if head >> 4 == 15 else head >> 4
        kind = head & 15
        if count > len(self.content):
            raise ValueError("a list in the footer of a Parquet file is longer than the file")
        return [self._byte() if kind in (TRUE, FALSE) else self._value(kind, depth) for _ in range(count)]

    def _integer(self) -> int:
        packed = self._varint()
        return packed >> 1 ^ -(packed & 1)

    def _varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError("a number in the footer of a Parquet file does not end")

    def _byte(self) -> int:
        self.place += 1
        return self.content[self.place - 1]

    def _bytes(self, count: int) -> bytes:
        self.place += count
        return self.content[self.place - count : self.place]
