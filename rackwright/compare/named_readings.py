"""Readings by the name of their part, and which of them count as readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, ItemsView, Iterable, Iterator, Mapping, ValuesView
from functools import cached_property
from math import isfinite
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
MANY = 256
"""Number of readings from which only distinct ones are checked: half a million switch ports have the same few texts."""
WORDS = frozenset({str, type(None)})


class NamedReadings(Mapping[str, T]):
    """Readings by name of the part. The names are made on first use: a pass that is not displayed needs none."""

    def __init__(self, read: Collection[T], names: Callable[[], Iterable[str]]) -> None:
        """`names` returns one name per reading, in the same order.

        Repeated names get a number, so that no part hides another.
        """
        self.seen, self._names = read, names

    @cached_property
    def _by_name(self) -> dict[str, T]:
        names = list(self._names())
        readings = dict(zip(names, self.seen, strict=True))
        if len(readings) == len(names):
            return readings
        readings = {}
        times: Counter[str] = Counter()
        for name, value in zip(names, self.seen, strict=True):
            times[name] += 1
            readings[name if name not in readings else f"{name} ({times[name]})"] = value
        return readings

    def __getitem__(self, name: str) -> T:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def items(self) -> ItemsView[str, T]:
        """As of any mapping, but ten times as fast."""
        return self._by_name.items()

    def values(self) -> ValuesView[T]:
        """As of any mapping, but ten times as fast."""
        return self._by_name.values()


class NamedPart(Protocol):
    """A part with a name."""

    @property
    def name(self) -> str:
        """The name that the machine reports; several parts may share it."""
        ...


P = TypeVar("P", bound=NamedPart)


def by_name(parts: Iterable[P] | None, read: Callable[[P], T | None]) -> NamedReadings[T | None]:
    """One reading of every part, by its name."""
    listed = list(parts or ())
    return NamedReadings([read(part) for part in listed], lambda: [part.name for part in listed])


def values(readings: Mapping[str, T]) -> Collection[T]:
    """The readings without their names."""
    return readings.seen if isinstance(readings, NamedReadings) else readings.values()


def all_good(readings: Mapping[str, T | None], good: Callable[[T], bool]) -> bool:
    """Whether there are readings, none is missing, and every one is good."""
    read: Collection[Any] = values(readings)
    for value in read if len(read) < MANY else _distinct(read):
        # `missing`, without a call for every value
        if value is None or (isinstance(value, float) and not isfinite(value)):
            return False
        if not good(value):
            return False
    return bool(read)


def _distinct(read: Collection[Any]) -> Collection[Any]:
    """Each distinct value once if all are texts; otherwise all values, because 1 and True are equal but not the same."""
    return {*read} if WORDS.issuperset(map(type, read)) else read


def missing(value: object) -> bool:
    """Whether a reading is missing: None, or the ``nan`` or ``inf`` of a tool, which some comparisons would accept."""
    return value is None or (isinstance(value, float) and not isfinite(value))


def positive(value: float | None) -> float | None:
    """`value`, or None if it is not above zero: a dead or absent sensor reads zero."""
    return value if value is not None and value > 0 else None
