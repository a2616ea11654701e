"""What many searches of one kind took: one row, as plain data, as a line, and all rows as the table that is published.

The first fleets of every row are stored one by one, so that a test sees when the code no longer does what is published.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from isolating.interval import upper

from rackwright.isolate import SearchResult
from rackwright.isolate.cost import least_bits

STORED = Path(__file__).with_name("result.json")
FIRST = 3
"""Fleets that are stored one by one."""


@dataclass(frozen=True)
class Row:
    """All searches of one strategy over fleets of one size."""

    nodes: int
    faulty: int
    strategy: str
    fleets: int
    bound: int
    """Tests that no strategy can do without whose tests are good or bad."""
    tests: float
    """Mean, as all figures without a share."""
    tests_95: float
    """95 of 100 searches take at most this."""
    rounds: float
    rounds_95: float
    tested: float
    """Nodes in all tests together."""
    blamed: float
    """Share of searches that blamed a good node."""
    missed: float
    """Share of searches that missed a faulty one."""
    first: tuple[tuple[int, int, int, int, int], ...]
    """Of the first fleets: tests, rounds, nodes in tests, good ones blamed, faulty ones missed."""

    @classmethod
    def of(cls, nodes: int, faulty: int, strategy: str, played: Sequence[SearchResult]) -> Row:
        """From one `Played` per fleet, in the order of their seeds from 0."""
        tests, rounds, tested, wrong, missed = np.array([_figures(result) for result in played], np.float64).T
        return cls(
            nodes, faulty, strategy, len(played), least_bits(nodes, faulty),
            _round(tests.mean()), _round(np.percentile(tests, 95)), _round(rounds.mean()), _round(np.percentile(rounds, 95)),
            _round(tested.mean()), float((wrong > 0).mean()), float((missed > 0).mean()),
            tuple(_figures(result) for result in played[:FIRST]),
        )  # fmt: skip

    def line(self) -> str:
        """For a terminal."""
        return (
            f"{self.strategy:26} tests {self.tests:9.1f} (95 %: {self.tests_95:7.0f})  rounds {self.rounds:7.2f} ({self.rounds_95:4.0f})  "
            f"nodes in tests {self.tested:9.0f}  blamed a good one {self.blamed:6.2%}  missed one {self.missed:6.2%}  of {self.fleets:,}"
        )


def store(rows: Iterable[Row]) -> None:
    """Write the rows beside this module in place of earlier ones of the same kind."""
    new = {_kind(row): row for row in rows}
    rows = [new.pop(_kind(row), row) for row in (stored() if STORED.exists() else [])] + list(new.values())
    lines = ",\n".join(f"  {json.dumps(asdict(row))}" for row in rows)
    STORED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def stored() -> list[Row]:
    """The rows that are published."""
    rows = json.loads(STORED.read_text(encoding="utf-8"))
    return [Row(**{**row, "first": tuple(tuple(pair) for pair in row["first"])}) for row in rows]


def table(rows: Iterable[Row]) -> str:
    """Markdown: one line per row, means with the 95th percentile behind them."""
    head = "| Nodes, faulty | Strategy | Tests (95 %) | Rounds (95 %) | Nodes in tests | Blamed a good node | Missed a faulty one | Fleets |"
    lines = [head, f"|{'---|' * 8}"]
    about = ""
    for row in rows:
        size = f"{row.nodes:,}, {row.faulty} (bound {row.bound})"
        share = [f"{share_:.1%} (below {upper(share_, row.fleets):.1%})" for share_ in (row.blamed, row.missed)]
        lines.append(
            f"| {size if size != about else ''} | {row.strategy} | {row.tests:,.1f} ({row.tests_95:,.0f}) | {row.rounds:,.1f} ({row.rounds_95:,.0f}) "
            f"| {row.tested:,.0f} | {share[0]} | {share[1]} | {row.fleets:,} |"
        )
        about = size
    return "\n".join(lines)


def _kind(row: Row) -> tuple[int, int, str]:
    return row.nodes, row.faulty, row.strategy


def _figures(result: SearchResult) -> tuple[int, int, int, int, int]:
    return result.tests, result.rounds, result.tested, result.wrong, result.missed


def _round(value: float) -> float:
    return round(float(value), 2)
