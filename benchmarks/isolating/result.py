"""What many searches of one kind took: one row, as plain data, as a line, and all rows as the table that is published.

The table that the docs show is made from the stored rows alone, and a test holds it
against them; the first fleets of every row are stored one by one, so that a test sees when the code no longer does what is published.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from isolating import circumstances

from rackwright.isolate import SearchResult
from rackwright.isolate.cost import least_bits

STORED = Path(__file__).with_name("result.json")
PAGE = Path(__file__).parents[2] / "validators" / "ISOLATION.md"
TEXT = """\
# Isolation: tests and rounds until every faulty node is named

`rackwright isolate` finds the faulty parts of a fleet with few tests that run at the same time. The table is made by
`python benchmarks/isolation.py --store`: random fleets, each with as many faulty nodes as the row says, the same fleets for every strategy.

- A faulty node loses 10 to 80 % of what it should reach; four of five lose the same in every test, the fifth something else each time. Readings
  scatter by 1.5 %, and one in a thousand is of something else (`validators/limits/isolation.yaml`, with sources).
- *Bound* is the number of tests that name the faulty nodes when a test says good or bad and nothing more (Shannon 1948). Ours also reads how much is lost:
  two tests that lose the same are probably bad by the same node. That chooses the next tests; what is blamed or cleared rests on good and bad alone.
- A node is blamed after two bad tests beside good partners, no partner in both, if no faults that show at times explain them as well, and both
  pairs where another of its tests was good; and cleared after two tests, so even a healthy fleet takes two screens.
- *Told how many*: `--expected N`, larger groups. *Bisection* (NVIDIA/nccl#349) begins with one test of the whole fleet and takes a reading at its word. *Matching
  and retest*: GoogleCloudPlatform/cluster-health-scanner 2025-10-31. *All pairs*: microsoft/superbenchmark 0.12, facebookresearch/gcm 2025-12-25.
- Best published beside it: NVIDIA/cluster-readiness-engine ADR-055, 232 nodes: 55 tests in 7 rounds with five faulty nodes, 28 in 3 with none.
- Means, with the 95th percentile in brackets; behind a counted share the upper end of its 95 % interval (Wilson 1927).

{table}

## Faults and fleets as they are

Made by `python benchmarks/isolating/circumstances.py --store`, which `make bench` plays as well and holds against its goals: a good node is blamed in at most 1 % of
the searches, a faulty one is cleared in fewer than 5 %, 95 % of small losses are found, small fleets end decided.

- A clearance states the smallest loss and the lowest frequency of a fault that its tests would have shown (99 % for each node, so 95 % for a search with five
  faults): after two good tests a fault that shows in 90 % of tests, after seven one that shows in 49 %. *Cleared a fault*: of exactly what the node has. *Did not show*: the fault never
  showed in the few tests of its node, and the clearance does not claim that it would have.
- A bad reading whose nodes are all good elsewhere is repeated as a group; seven good repeats end the doubt, a second bad one leads to halves. What is not pinned down stays open.
- Readings are compared with their own round: what all tests lose (an offset, congestion, slow large groups) is nobody's fault, and in such a fleet only losses beyond it are blamed.
- Rows of few fleets are a first look; the last column says how many were played. The command plays 1,000 of each.
- `--soak N` adds rounds of all nodes in shuffled order: the only way to see what shows rarely.

{circumstances}
"""
"""Around the table."""
FIRST = 3
"""Fleets that are stored one by one."""
Z = 1.96
"""Of a 95 % interval (normal distribution)."""


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


def upper(share: float, count: int) -> float:
    """Upper end of the 95 % interval of a share that was counted (Wilson 1927)."""
    middle = share + Z * Z / (2 * count)
    spread = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    return (middle + spread) / (1 + Z * Z / count)


def store(rows: Iterable[Row]) -> None:
    """Write the rows beside this module in place of earlier ones of the same kind, and the page."""
    new = {_kind(row): row for row in rows}
    rows = [new.pop(_kind(row), row) for row in (stored() if STORED.exists() else [])] + list(new.values())
    lines = ",\n".join(f"  {json.dumps(asdict(row))}" for row in rows)
    STORED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    PAGE.write_text(page(stored()), encoding="utf-8")


def page(rows: Iterable[Row]) -> str:
    """The published page."""
    return TEXT.format(table=table(rows), circumstances=circumstances.table(circumstances.stored()))


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
