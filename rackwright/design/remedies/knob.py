"""A field of a site, or several together, that can be set to other values to answer a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import Any

from rackwright.catalog import remedy_ranges


class ChangeTerms(IntEnum):
    """The consent that a change needs besides money; changes that need less are proposed first."""

    OWNER = 0
    """On the owner of the site alone."""
    BUILDING = 1
    """On a building that can be, or be had, so."""
    PROMISE = 2
    """On users who accept that the site promises less: the rule asks less then."""


@dataclass(frozen=True)
class FieldChange:
    """A field and its new value; an index one past the end of a list adds an entry."""

    field: str
    value: Any


@dataclass(frozen=True)
class Knob:
    """Changes of one kind, from the smallest to the largest: where one of them answers a rule, those after it mostly do too."""

    steps: tuple[tuple[FieldChange, ...], ...]
    terms: ChangeTerms = ChangeTerms.OWNER


def values(field: str, options: Iterable[Any], terms: ChangeTerms = ChangeTerms.OWNER) -> Knob:
    """A knob of one field with these `options`."""
    return Knob(
        tuple((FieldChange(field, value),) for value in islice(options, remedy_ranges.load().values_tried)), terms
    )


def short(value: float) -> float:
    """A whole number without a point, as people write it."""
    return int(value) if float(value).is_integer() else round(value, 2)


def first_accepted(steps: int, accepts: Callable[[int], bool]) -> int | None:
    """Index of the smallest of `steps` that `accepts`; None if none does.

    Few steps are tried in order. Of many, the largest accepted one is searched by halving (a very large change may break something else), then the
    smallest one below it by bisection.
    """
    if steps <= remedy_ranges.load().values_in_order:
        return next((step for step in range(steps) if accepts(step)), None)
    high = steps - 1
    while not accepts(high):
        if not high:
            return None
        high //= 2
    low = 0
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if accepts(middle) else (middle + 1, high)
    return low
