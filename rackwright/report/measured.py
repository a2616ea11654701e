"""Measured values as distributions: one per metric, with the limit.

A value is what its check was decided by: of the worst part, when a node has several. A node counts once per metric.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rackwright.model.verdict import Outcome
from rackwright.report.amounts import scaled
from rackwright.report.view import Node

MOST_ROWS = 16
"""Racks that get a row of their own; of more, all nodes stand in one row."""
MOST_DOTS = 400
"""Nodes that are drawn one by one; of more, bars show how many there are, and marks those that did not pass."""
COLUMNS = 48
"""Places along the axis; values that fall into one are stacked."""
TICKS = 5
WORDS = 0.55
"""Share of the axis that the words of two limits take together."""
MIDDLE = 0.5
MIXED = 1.25
"""Limits of one metric that lie further apart than this factor are of different metrics: precisions, collectives, sizes."""
OF_LIMIT = "% of what it was compared with"
MARGIN = 0.06
"""Room beside the outermost value, as a share of the axis."""
LARGEST = 1e15
"""Beyond it a value is no measurement, and steps of an axis cannot be told apart in double precision."""


@dataclass(frozen=True)
class Dot:
    """One node."""

    node: str
    value: float
    outcome: Outcome
    column: int
    level: int
    """Height in its stack, from 0."""


@dataclass(frozen=True)
class Row:
    """The nodes of one rack, or of all."""

    name: str
    dots: tuple[Dot, ...]
    bars: tuple[tuple[int, int], ...] = ()
    """Column and number of nodes in it, when there are too many to draw one by one."""


@dataclass(frozen=True)
class Spread:
    """One metric of all covered nodes."""

    check: str
    title: str
    about: str
    """What else the limit was asked for (``all_reduce, 8GiB``)."""
    unit: str
    low: float
    high: float
    """Ends of the axis."""
    ticks: tuple[float, ...]
    limits: tuple[float, ...]
    rows: tuple[Row, ...]
    values: tuple[float, ...]
    """Sorted."""

    def place(self, value: float) -> float:
        """Where `value` stands along the axis, 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    @property
    def labelled(self) -> tuple[float, ...]:
        """The limits that have room for their words: the first, and the last when the two lie far enough apart."""
        if not self.limits:
            return ()
        first, last = self.limits[0], self.limits[-1]
        apart = self.place(first) < MIDDLE <= self.place(last) and self.place(last) - self.place(first) > WORDS
        return (first, last) if apart else (first,)

    @property
    def even(self) -> bool:
        """Whether every node has the same value and passed: a line of text says as much as a drawing."""
        passed = all(dot.outcome is Outcome.PASS for row in self.rows for dot in row.dots)
        return passed and self.values[0] == self.values[-1]

    @property
    def median(self) -> float:
        """The middle value."""
        middle = len(self.values) // 2
        return self.values[middle] if len(self.values) % 2 else (self.values[middle - 1] + self.values[middle]) / 2


def spreads(nodes: Sequence[Node]) -> list[Spread]:
    """One spread per check, unit and key with a number, by check id; metrics in which nothing was compared are left out."""
    groups: dict[tuple[str, str, str], list[_Entry]] = {}
    for node in nodes:
        for one in node.verdicts:
            if one.value is not None and _drawable(one.value):
                about = ", ".join(value for name, value in sorted(one.key.items()) if name in SHOWN)
                value, unit = scaled(one.value, one.unit)
                limit = scaled(one.limit, one.unit)[0] if one.limit is not None and _drawable(one.limit) else None
                groups.setdefault((one.check, unit, about), []).append(
                    _Entry(node, value, limit, one.outcome, one.title)
                )
    return [_spread(check, *_alike(unit, entries), about) for (check, unit, about), entries in sorted(groups.items())]


def _drawable(value: float) -> bool:
    """Whether an axis can show it: what is no number, or larger than anything that is measured, is told in words alone."""
    return math.isfinite(value) and abs(value) < LARGEST


@dataclass(frozen=True)
class _Entry:
    """One node's value of one metric."""

    node: Node
    value: float
    limit: float | None
    outcome: Outcome
    title: str


def _alike(unit: str, entries: Sequence[_Entry]) -> tuple[str, Sequence[_Entry]]:
    """Values of one axis: where each node was compared with something else (its own peers), the share of that is shown."""
    limits = [one.limit for one in entries if one.limit]
    if len(limits) < len(entries) or min(limits) <= 1 / LARGEST or max(limits) / min(limits) <= MIXED:
        return unit, entries
    return OF_LIMIT, [replace(one, value=one.value / (one.limit or 1.0) * 100, limit=100.0) for one in entries]


SHOWN = ("collective", "size", "precision", "transport", "accelerator", "direction")
"""Parts of a limit's key that tell one metric from another; the others are the same for the whole site."""


def _spread(check: str, unit: str, entries: Sequence[_Entry], about: str) -> Spread:
    values = sorted(one.value for one in entries)
    limits = sorted({one.limit for one in entries if one.limit is not None})
    low, high, ticks = axis(min([*values, *limits]), max([*values, *limits]))
    racks = list(dict.fromkeys(one.node.rack for one in entries))
    rows = []
    for name in racks if len(racks) <= MOST_ROWS else ["all racks"]:
        mine = [one for one in entries if name in ("all racks", one.node.rack)]
        rows.append(_row(name, tuple(_dots(mine, low, high))))
    return Spread(check, entries[0].title, about, unit, low, high, ticks, tuple(limits), tuple(rows), tuple(values))


def _row(name: str, dots: tuple[Dot, ...]) -> Row:
    if len(dots) <= MOST_DOTS:
        return Row(name, dots)
    counts = Counter(dot.column for dot in dots)
    return Row(
        name, tuple(dot for dot in dots if dot.outcome is not Outcome.PASS)[:MOST_DOTS], tuple(sorted(counts.items()))
    )


def _dots(entries: Sequence[_Entry], low: float, high: float) -> Iterator[Dot]:
    heights: dict[int, int] = {}
    for one in entries:
        column = min(COLUMNS - 1, int((one.value - low) / (high - low) * COLUMNS))
        level = heights.get(column, 0)
        heights[column] = level + 1
        yield Dot(one.node.node, one.value, one.outcome, column, level)


def axis(least: float, most: float) -> tuple[float, float, tuple[float, ...]]:
    """Ends and ticks of an axis that shows `least` to `most`; steps are 1, 2 or 5 times a power of ten."""
    span = most - least or abs(most) or 1.0
    low, high = least - span * MARGIN, most + span * MARGIN
    if least >= 0 > low:
        low = 0.0 if least > 0 else -span * MARGIN
    raw = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw)
    first = math.ceil(low / step)
    ticks = tuple(number * step for number in range(first, math.floor(high / step) + 1))
    return low, high, ticks
