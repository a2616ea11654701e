"""Two designs side by side: the figures by which an engineer chooses between them.

Text and JSON show the same rows. A study that one design lacks is printed as empty, never omitted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rackwright.design.comparison import physical, running
from rackwright.design.comparison.figure import Figures, Value
from rackwright.model.design import Design

SUBJECTS: tuple[Callable[[Design], Figures], ...] = (
    physical.counts,
    physical.fabrics,
    physical.power,
    physical.cooling,
    physical.losses,
    physical.storage,
    running.availability,
    running.cost,
    running.deployment,
    running.verdicts,
)
"""The order in which figures are printed."""


@dataclass(frozen=True)
class ComparisonRow:
    """One figure of both designs. A value is None where a design lacks it, or where it is unknown."""

    subject: str
    name: str
    unit: str
    a: Value
    b: Value

    @property
    def differs(self) -> bool:
        """True when the two values differ."""
        return self.a != self.b

    @property
    def change(self) -> float | None:
        """(b - a) / a; None for words, for missing values and where a is 0."""
        a, b = self.a, self.b
        if isinstance(a, str) or isinstance(b, str) or not a or b is None:
            return None
        return (b - a) / a


def compare_designs(a: Design, b: Design) -> list[ComparisonRow]:
    """Every figure of either design, subject by subject; figures only in `b` come after those of `a`."""
    rows = []
    for figures in SUBJECTS:
        left_figures, right_figures = figures(a), figures(b)
        for key in dict.fromkeys([*left_figures, *right_figures]):
            subject, name = key
            first, second = left_figures.get(key), right_figures.get(key)
            unit = (first or second or (None, ""))[1]
            rows.append(ComparisonRow(subject, name, unit, first[0] if first else None, second[0] if second else None))
    return rows
