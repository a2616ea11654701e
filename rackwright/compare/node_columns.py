"""What is compared of one node, as columns.

An object for every reading took a hundred bytes sent and half a
kilobyte held.
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
    """The name an engineer finds it by."""
    slot: str
    """What it is compared with on other nodes: same position, same condition (``GPU 3 at P0``)."""
    value: float | None
    rail: str = ""
    """Rail that it belongs to, where parts of all rails are alike and share a slot."""


class Readings(NamedTuple):
    """All readings of one node that one check compares; the columns are of one length."""

    parts: Names
    slots: Names
    values: bytes
    """Doubles as this machine has them; not a number stands for a missing reading."""
    rails: Names = ()
    """Empty where no part belongs to a rail."""
    whats: Names = ()
    """What was read of each part, printed after its name; empty where one thing was read of all."""

    def each(self) -> Iterator[Reading]:
        """One by one, for sentences."""
        return map(self.at, range(len(self.parts)))

    def at(self, place: int) -> Reading:
        """The reading at a place of the columns."""
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
    """The columns of one node. Raises ValueError where they are not of one length."""
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
"""The first of equal values, so that nodes that have the same hold it once, and send it once."""


def packed(some: Iterable[Reading]) -> Readings:
    """Readings made one by one as columns."""
    listed = list(some)
    rails = [reading.rail for reading in listed] if any(reading.rail for reading in listed) else []
    return readings(
        [reading.part for reading in listed],
        [reading.slot for reading in listed],
        [reading.value for reading in listed],
        rails,
    )
