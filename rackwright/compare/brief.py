"""What is said of a pass that nobody reads.

Where an expectation is `brief`, every comparison of this package first asks `sure`, and says `PASSED` when it
is. When it is not, the comparison is made in full, as if it had not been asked: what is no pass reads the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from math import isfinite
from typing import Any, Protocol, TypeVar

from rackwright.model.verdict import Finding, Outcome

T = TypeVar("T")
Text = str | Callable[[], str]
"""Words of a sentence, or what makes them when the sentence is made."""

PASSED = Finding(outcome=Outcome.PASS, observed="", expected="", source="", says="")
"""The finding of every brief pass."""


class Named(Mapping[str, T]):
    """Readings by name of the part; the names are made when somebody asks for them."""

    def __init__(self, seen: Collection[T], names: Callable[[], Iterable[str]]) -> None:
        """As many names as readings, in one order; parts of one name are told apart by number, so that none hides another."""
        self.seen, self._names = seen, names

    @cached_property
    def _made(self) -> dict[str, T]:
        found: dict[str, T] = {}
        times: Counter[str] = Counter()
        for name, value in zip(self._names(), self.seen, strict=True):
            times[name] += 1
            found[name if name not in found else f"{name} ({times[name]})"] = value
        return found

    def __getitem__(self, name: str) -> T:
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


class Part(Protocol):
    """A part with a name."""

    @property
    def name(self) -> str:
        """As the machine calls it; several may be called alike."""
        ...


P = TypeVar("P", bound=Part)


def by_name(parts: Iterable[P] | None, read: Callable[[P], T | None]) -> Named[T | None]:
    """One reading of every part."""
    found = list(parts or ())
    return Named([read(one) for one in found], lambda: [one.name for one in found])


def read(readings: Mapping[str, T]) -> Collection[T]:
    """The readings without their names."""
    return readings.seen if isinstance(readings, Named) else readings.values()


def sure(readings: Mapping[str, T | None], good: Callable[[T], bool]) -> bool:
    """Whether there are readings, none is missing, and every one is good."""
    seen: Collection[Any] = read(readings)
    for value in seen:
        # `missing`, without a call for every value
        if value is None or (isinstance(value, float) and not isfinite(value)):
            return False
        if not good(value):
            return False
    return bool(seen)


def missing(value: object) -> bool:
    """Whether it is no reading: None, or what a tool prints as ``nan`` or ``inf``, which some comparison finds good."""
    return value is None or (isinstance(value, float) and not isfinite(value))


def positive(value: float | None) -> float | None:
    """`value`, or None where it is not above zero: that is what a sensor reads that is dead or not there."""
    return value if value is not None and value > 0 else None


def words(text: Text) -> str:
    """`text`, made."""
    return text if isinstance(text, str) else text()
