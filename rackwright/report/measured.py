"""Measured values as distributions: one per metric, with the limit.

The value is the one that decided its check: the worst part, if a node has several. A node counts once per metric.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rackwright.model.verdict import Outcome
from rackwright.report.amounts import scaled
from rackwright.report.view import ReportNode

MOST_ROWS = 16
"""Racks with a row of their own; with more racks, all nodes share one row."""
MOST_DOTS = 400
"""Nodes drawn individually; with more, bars show counts, and marks those that did not pass."""
COLUMNS = 48
"""Columns along the axis; values in the same column are stacked."""
TICKS = 5
WORDS = 0.55
"""Share of the axis that the labels of two limits take together."""
MIDDLE = 0.5
MIXED = 1.25
"""Limits of one metric that differ by more than this factor belong to different metrics: precisions, collectives, sizes."""
OF_LIMIT = "% of what it was compared with"
MARGIN = 0.06
"""Room beside the outermost value, as a share of the axis."""
LARGEST = 1e15
"""A larger value is not a measurement, and axis steps cannot be distinguished in double precision."""


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
class SpreadRow:
    """The nodes of one rack, or of all racks."""

    name: str
    dots: tuple[Dot, ...]
    bars: tuple[tuple[int, int], ...] = ()
    """Column and number of nodes in it, if there are too many to draw individually."""


@dataclass(frozen=True)
class MetricSpread:
    """One metric over all covered nodes."""

    check: str
    title: str
    about: str
    """Further keys of the limit (``all_reduce, 8GiB``)."""
    unit: str
    low: float
    high: float
    """Ends of the axis."""
    ticks: tuple[float, ...]
    limits: tuple[float, ...]
    rows: tuple[SpreadRow, ...]
    values: tuple[float, ...]
    """Sorted."""

    def place(self, value: float) -> float:
        """Position of `value` along the axis, 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    @property
    def labelled(self) -> tuple[float, ...]:
        """The limits with room for a label: the first, and the last if the two are far enough apart."""
        if not self.limits:
            return ()
        first, last = self.limits[0], self.limits[-1]
        apart = self.place(first) < MIDDLE <= self.place(last) and self.place(last) - self.place(first) > WORDS
        return (first, last) if apart else (first,)

    @property
    def even(self) -> bool:
        """True if every node has the same value and passed: a line of text replaces the drawing."""
        passed = all(dot.outcome is Outcome.PASS for row in self.rows for dot in row.dots)
        return passed and self.values[0] == self.values[-1]

    @property
    def median(self) -> float:
        """The middle value."""
        middle = len(self.values) // 2
        return self.values[middle] if len(self.values) % 2 else (self.values[middle - 1] + self.values[middle]) / 2


def spreads(nodes: Sequence[ReportNode]) -> list[MetricSpread]:
    """One spread per check, unit and key with a number, by check id; metrics without a comparison are omitted."""
    groups: dict[tuple[str, str, str], list[_Entry]] = {}
    for node in nodes:
        for verdict in node.verdicts:
            if verdict.value is not None and _is_drawable(verdict.value):
                about = ", ".join(value for name, value in sorted(verdict.key.items()) if name in METRIC_KEYS)
                value, unit = scaled(verdict.value, verdict.unit)
                limit = (
                    scaled(verdict.limit, verdict.unit)[0]
                    if verdict.limit is not None and _is_drawable(verdict.limit)
                    else None
                )
                groups.setdefault((verdict.check, unit, about), []).append(
                    _Entry(node, value, limit, verdict.outcome, verdict.title)
                )
    return [
        _metric_spread(check, *_common_axis(unit, entries), about)
        for (check, unit, about), entries in sorted(groups.items())
    ]


def _is_drawable(value: float) -> bool:
    """True if an axis can show it; infinite values, NaN and values beyond any measurement are only printed."""
    return math.isfinite(value) and abs(value) < LARGEST


@dataclass(frozen=True)
class _Entry:
    """One node's value of one metric."""

    node: ReportNode
    value: float
    limit: float | None
    outcome: Outcome
    title: str


def _common_axis(unit: str, entries: Sequence[_Entry]) -> tuple[str, Sequence[_Entry]]:
    """Unit and values for one axis: if the limits of nodes differ widely (each has its own peers), percentages of the limit."""
    limits = [entry.limit for entry in entries if entry.limit]
    if len(limits) < len(entries) or min(limits) <= 1 / LARGEST or max(limits) / min(limits) <= MIXED:
        return unit, entries
    return OF_LIMIT, [replace(entry, value=entry.value / (entry.limit or 1.0) * 100, limit=100.0) for entry in entries]


METRIC_KEYS = ("collective", "size", "precision", "transport", "accelerator", "direction")
"""Keys of a limit that distinguish metrics; all other keys are equal for the whole site."""


def _metric_spread(check: str, unit: str, entries: Sequence[_Entry], about: str) -> MetricSpread:
    values = sorted(entry.value for entry in entries)
    limits = sorted({entry.limit for entry in entries if entry.limit is not None})
    low, high, ticks = axis(min([*values, *limits]), max([*values, *limits]))
    racks = list(dict.fromkeys(entry.node.rack for entry in entries))
    rows = []
    for name in racks if len(racks) <= MOST_ROWS else ["all racks"]:
        mine = [entry for entry in entries if name in ("all racks", entry.node.rack)]
        rows.append(_row(name, tuple(_dots(mine, low, high))))
    return MetricSpread(
        check, entries[0].title, about, unit, low, high, ticks, tuple(limits), tuple(rows), tuple(values)
    )


def _row(name: str, dots: tuple[Dot, ...]) -> SpreadRow:
    if len(dots) <= MOST_DOTS:
        return SpreadRow(name, dots)
    counts = Counter(dot.column for dot in dots)
    return SpreadRow(
        name, tuple(dot for dot in dots if dot.outcome is not Outcome.PASS)[:MOST_DOTS], tuple(sorted(counts.items()))
    )


def _dots(entries: Sequence[_Entry], low: float, high: float) -> Iterator[Dot]:
    heights: dict[int, int] = {}
    for entry in entries:
        column = min(COLUMNS - 1, int((entry.value - low) / (high - low) * COLUMNS))
        level = heights.get(column, 0)
        heights[column] = level + 1
        yield Dot(entry.node.node, entry.value, entry.outcome, column, level)


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
