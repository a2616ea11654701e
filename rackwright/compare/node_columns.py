"""The compared readings of one node, as columns.

An object for every reading took a hundred bytes to send and half a kilobyte of memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import isnan, nan
from struct import Struct
from typing import NamedTuple, TypeVar, cast

Names = tuple[str, ...]
H = TypeVar("H")
DOUBLE = Struct("d")


class Reading(NamedTuple):
    """One reading of one part."""

    part: str
    """The name by which an engineer finds it."""
    slot: str
    """The readings of other nodes with the same slot are compared: same position, same condition (``GPU 3 at P0``)."""
    value: float | None
    rail: str = ""
    """Its rail, if parts of all rails are comparable and share a slot."""


class Readings(NamedTuple):
    """All readings of one node that one check compares; all columns have the same length."""

    parts: Names
    slots: Names
    values: bytes
    """Native doubles; nan stands for a missing reading."""
    rails: Names = ()
    """Empty if no part belongs to a rail."""
    whats: Names = ()
    """The quantity that was read of each part, printed after its name; empty if it is the same for all."""

    def each(self) -> Iterator[Reading]:
        """The readings one by one, for findings."""
        return map(self.at, range(len(self.parts)))

    def at(self, place: int) -> Reading:
        """The reading at an index of the columns."""
        part = f"{self.parts[place]} {self.whats[place]}" if self.whats else self.parts[place]
        [value] = DOUBLE.unpack_from(self.values, place * DOUBLE.size)
        rail = self.rails[place] if self.rails else ""
        return Reading(part, self.slots[place], None if isnan(value) else value, rail)


def readings(
    parts: Iterable[str],
    slots: Iterable[str],
    values: Sequence[float | None],
    rails: Iterable[str] = (),
    whats: Iterable[str] = (),
) -> Readings:
    """The columns of one node. Raises ValueError if their lengths differ."""
    try:
        numbers = array("d", cast("Sequence[float]", values))
    except TypeError:  # a reading is missing
        numbers = array("d", [nan if value is None else value for value in values])
    columns = Readings(
        tuple(parts), shared(tuple(slots)), numbers.tobytes(), shared(tuple(rails)), shared(tuple(whats))
    )
    if not len(columns.parts) == len(columns.slots) == len(numbers):
        raise ValueError(f"{len(columns.parts)} parts, {len(columns.slots)} slots and {len(numbers)} values")
    return columns


def _interned(value: H) -> H:
    return value


shared: Callable[[H], H] = lru_cache(maxsize=4096)(_interned)
"""The first of equal values, so that equal values of several nodes are stored, and sent, once."""


def packed(some: Iterable[Reading]) -> Readings:
    """Convert single readings to columns."""
    listed = list(some)
    rails = [reading.rail for reading in listed] if any(reading.rail for reading in listed) else []
    return readings(
        [reading.part for reading in listed],
        [reading.slot for reading in listed],
        [reading.value for reading in listed],
        rails,
    )
