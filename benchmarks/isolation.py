"""Plays searches for faulty nodes over fleets made faulty by chance, side by side, then ours over fleets as they really are, and holds it against the goals.

Fleets are played on all processors; the same seeds play the same whatever their number.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial

from isolating import circumstances, over_wiring
from isolating.interval import upper
from isolating.page import write_page
from isolating.result import Row, store
from isolating.strategies import OURS, STRATEGIES, TOLD

from rackwright.isolate import SearchResult, SearchSettings, search_settings
from rackwright.judge.limits import load

SIZES = ((232, 5), (4096, 3), (232, 0), (232, 1), (1024, 3))
"""(nodes, faulty nodes)"""
FLEETS, OF_OURS = 1000, 3000
"""Fleets per size; our strategy gets enough that one wrong search in a thousand shows."""
CHUNK = 10
FEWER = {TOLD: dict.fromkeys((232, 1024, 4096), 100), "all pairs": {232: 100, 1024: 20, 4096: 5}}
"""Fleets per size of what carries no goal: all pairs hardly depend on chance, and there are eight million of 4,096 nodes."""


@dataclass(frozen=True)
class Goal:
    """What the mean over all fleets of a size must stay below."""

    tests: float
    rounds: float
    source: str


GOALS = {
    (232, 5): Goal(40, 7, "best published: 55 tests, 7 rounds, NVIDIA/cluster-readiness-engine ADR-055"),
    (232, 0): Goal(28, 3, "best published: NVIDIA/cluster-readiness-engine ADR-055"),
    (4096, 3): Goal(math.inf, 12, "aim"),
}
BLAMED, MISSED = 0.001, 0.01
"""Shares of searches that may blame a good node, and miss a faulty one."""


def races(fleets: int | None) -> Iterator[tuple[int, int, str, int]]:
    """(nodes, faulty, strategy, fleets) of every row: ours for all sizes first."""
    for ours in (True, False):
        for nodes, faulty in SIZES:
            for name in (name_ for name_ in STRATEGIES if (name_ == OURS) is ours and (faulty or name_ not in FEWER)):
                most = OF_OURS if name == OURS else FEWER.get(name, {}).get(nodes, FLEETS)
                yield nodes, faulty, name, min(most, fleets or most)


def _row(nodes: int, faulty: int, name: str, fleets: int, pool: ProcessPoolExecutor) -> Row:
    played = list(pool.map(partial(play_once, name, nodes, faulty), range(fleets), chunksize=CHUNK))
    return Row.of(nodes, faulty, name, played)


def play_once(name: str, nodes: int, faulty: int, seed: int) -> SearchResult:
    """One fleet."""
    return STRATEGIES[name](nodes, faulty, _settings(), seed)


@cache
def _settings() -> SearchSettings:
    return search_settings(load())


def judged(row: Row) -> tuple[str, bool]:
    """The goals of a size, and of error rates over all sizes."""
    reached = row.blamed <= BLAMED and row.missed <= MISSED
    rates = ((row.blamed, BLAMED, "blamed"), (row.missed, MISSED, "missed"))
    text = ", ".join(
        f"{what} {share:.2%} (below {upper(share, row.fleets):.2%} with 95 % confidence), goal {most:.1%}"
        for share, most, what in rates
    )
    goal = GOALS.get((row.nodes, row.faulty))
    if goal is not None:
        reached &= row.tests <= goal.tests and row.rounds <= goal.rounds
        tests = "" if math.isinf(goal.tests) else f"{goal.tests:g} tests, "
        text += f"; goal {tests}{goal.rounds:g} rounds ({goal.source})"
    return text, reached


def processors() -> ProcessPoolExecutor:
    """One process per processor that is ours."""
    return ProcessPoolExecutor(len(os.sched_getaffinity(0)))


@dataclass(frozen=True)
class Race:
    """The goals of isolation, among all others of ``run.py``."""

    name: str
    fleets: int | None
    """Per size; None: as many as the goals ask for."""

    def lines(self) -> Iterator[tuple[str, bool]]:
        """What was reached, one line per size that has a goal."""
        with processors() as pool:
            for nodes, faulty in GOALS:
                row = _row(nodes, faulty, OURS, self.fleets or OF_OURS, pool)
                text, reached = judged(row)
                yield (
                    f"{nodes} nodes, {faulty} faulty: {row.tests:.1f} tests in {row.rounds:.2f} rounds of {row.fleets:,} fleets, {text}",
                    reached,
                )
            for circumstance in circumstances.CIRCUMSTANCES:
                figures = circumstances.figures(circumstance, self.fleets or circumstances.FLEETS, pool)
                yield f"{circumstance.name}: {figures}", not figures.missed_goals(circumstance)


def main() -> int:
    """Print the tables; 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fleets", type=int, help="fewer fleets per line")
    parser.add_argument("--wired", type=int, default=20, help="fleets that are played over a wiring (default 20)")
    parser.add_argument(
        "--only",
        default="",
        help="one strategy, or part of the name of a kind of fleet; the figures of the others stay",
    )
    parser.add_argument("--nodes", type=int, help="fleets of one size")
    parser.add_argument(
        "--store", action="store_true", help="keep the figures that the docs publish, and write the page"
    )
    args = parser.parse_args()
    started = time.monotonic()
    with processors() as pool:
        missed = _play_strategies(args, pool) + _play_circumstances(args, pool)
    for line in over_wiring.lines(args.wired) if args.wired else ():
        print(line, flush=True)
    print(f"{time.monotonic() - started:.0f} s")
    return int(missed > 0)


def _play_strategies(args: argparse.Namespace, pool: ProcessPoolExecutor) -> int:
    """All strategies over the same fleets; the number of lines that miss a goal."""
    rows, missed = list[Row](), 0
    for nodes, faulty, name, fleets in races(args.fleets):
        if args.only not in ("", name) or args.nodes not in (None, nodes):
            continue
        row = _row(nodes, faulty, name, fleets, pool)
        rows.append(row)
        print(f"{nodes:5} nodes, {faulty} faulty (bound {row.bound:2}): {row.line()}", flush=True)
        if name == OURS:
            text, reached = judged(row)
            missed += not reached
            print(f"    {'reached' if reached else 'MISSED'}: {text}")
        if args.store:
            store(sorted(rows, key=lambda entry: SIZES.index((entry.nodes, entry.faulty))))
            write_page()
    return missed


def _play_circumstances(args: argparse.Namespace, pool: ProcessPoolExecutor) -> int:
    """Fleets as they really are; the number of kinds that miss a goal."""
    missed = 0
    for circumstance in circumstances.CIRCUMSTANCES:
        if args.only not in circumstance.name or args.nodes not in (None, circumstance.nodes):
            continue
        figures = circumstances.figures(circumstance, args.fleets or circumstances.FLEETS, pool)
        short = figures.missed_goals(circumstance)
        missed += bool(short)
        print(f"{circumstance.name}: {figures}  {'MISSED ' + ', '.join(short) if short else 'reached'}", flush=True)
        if args.store:
            circumstances.store({circumstance: figures})
            write_page()
    return missed


if __name__ == "__main__":
    raise SystemExit(main())
