"""Records of JSON objects that differ in few places: what equal objects share is read and validated once.

Measured with what NVML says of an accelerator, a text of 5 KB: to read it as JSON and to validate it took four times as long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from rackwright.model.base import Record

R = TypeVar("R", bound=Record)
MARKS = (1_000, 2_000)
"""Numbers that stand in the holes while a stencil is tried, each twice with another one."""
KNOWN = 512
"""Stencils that are kept, some 4 KB each."""


class Hole(NamedTuple):
    """A place that varies."""

    field: str = ""
    """The field that it fills; empty when the record has nothing of it."""
    of: Callable[[str], Any] = str
    """From the text of the value, without quotation marks, to that of the field."""


class Known(NamedTuple, Generic[R]):
    """What texts share that are equal but for their holes."""

    record: type[R]
    values: dict[str, Any]
    fills: list[tuple[int, str, Callable[[str], Any]]]
    """Which hole fills which field, and how."""


class Stencil(Generic[R]):
    """Reads objects of one kind; `read` is the way to read one whole, `holes` the places by the text that stands before the value."""

    def __init__(self, read: Callable[[str], R | None], holes: Mapping[str, Hole]) -> None:
        self._read = read
        self._holes = holes
        before = "|".join(re.escape(place.removeprefix('"')) for place in sorted(holes, key=len, reverse=True))
        # A text without escapes up to its end, or a whole number: anything else is no hole, and stays in the stencil.
        self._cut = re.compile(rf'("(?:{before}))((?<=")[^"\\]*(?=")|(?<!")\d+(?=[,}}]))', re.ASCII)
        self._known = lru_cache(maxsize=KNOWN)(self._tried)

    def record(self, text: str, solid: tuple[int, int] = (0, 0)) -> R | None:
        """The record of `text`; the part from `solid[0]` to `solid[1]` is known to have no holes. Raises what `read` raises."""
        begin, end = solid
        parts = self._cut.split(text[:begin])
        first, *rest = self._cut.split(text[end:])
        parts[-1] += text[begin:end] + first
        parts += rest
        known = self._known(tuple(parts[::3]), tuple(parts[1::3]))
        if known is None:
            return None
        values = known.values.copy()
        for at, field, of in known.fills:
            values[field] = of(parts[at])
        return known.record.made(**values)

    def _tried(self, between: tuple[str, ...], places: tuple[str, ...]) -> Known[R] | None:
        """The record with numbers in its holes. None unless each hole fills its own field and no other field hangs on a hole."""
        fills = [(at, self._holes[place]) for at, place in enumerate(places) if self._holes[place].field]
        tries: list[R] = []
        for mark in MARKS:
            values = [str(mark + at) for at in range(len(places))]
            record = self._read("".join(_laced(between, places, values)))
            if record is None or any(getattr(record, hole.field) != hole.of(values[at]) for at, hole in fills):
                return None
            tries.append(record)
        first, second = tries
        varied = sorted(name for name, value in first.__dict__.items() if value != second.__dict__[name])
        if varied != sorted(hole.field for _, hole in fills):
            return None
        return Known(type(first), first.__dict__, [(3 * at + 2, hole.field, hole.of) for at, hole in fills])


def _laced(between: tuple[str, ...], places: tuple[str, ...], values: list[str]) -> list[str]:
    return [between[0], *(part for laced in zip(places, values, between[1:], strict=True) for part in laced)]
