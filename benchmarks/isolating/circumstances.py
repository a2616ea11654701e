"""Searches over fleets as they really are: faults that show at times, small losses, offsets, congestion, spread, small fleets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from isolating.interval import lower, upper

from rackwright.isolate import FleetTraits, SearchResult, SearchSettings, search_settings, simulate
from rackwright.judge.limits import load

STORED = Path(__file__).with_name("circumstances.json")
FLEETS = 1000
CHUNK = 2
BLAMED, CLEARED, RECALL = 0.01, 0.05, 0.95
"""Most searches that blame a good node, fewer that clear a faulty one, and least share of small losses that are blamed."""


@dataclass(frozen=True)
class Circumstance:
    """A kind of fleet, and the goals of searches over it."""

    name: str
    nodes: int
    faulty: int
    traits: FleetTraits
    soak: int = 0
    recall: float = 0.0
    """Least share of faulty nodes that are blamed."""
    decided: bool = False
    """Whether nothing may stay open."""


CIRCUMSTANCES = (
    Circumstance("faults always show, 10 to 80 % lost", 232, 5, FleetTraits(), recall=0.99),
    Circumstance("faults show in 80 % of tests", 232, 5, FleetTraits(frequency=0.8)),
    Circumstance("faults show in 50 % of tests", 232, 5, FleetTraits(frequency=0.5)),
    Circumstance("faults show in 50 % of tests, --soak 6", 232, 5, FleetTraits(frequency=0.5), soak=6),
    Circumstance("5 to 10 % lost", 232, 5, FleetTraits(least_loss=0.05, worst_loss=0.1), recall=RECALL),
    Circumstance("healthy", 232, 0, FleetTraits()),
    Circumstance("healthy, 5 % below the expected value", 232, 0, FleetTraits(offset=0.05)),
    Circumstance("healthy, one round of four congested by 5 to 30 %", 232, 0, FleetTraits(congested=0.25)),
    Circumstance("healthy, 1 % less per doubling of the group", 232, 0, FleetTraits(doubling=0.01)),
    Circumstance("healthy, nodes spread by 2 %", 232, 0, FleetTraits(spread=0.02)),
    Circumstance("small fleet", 4, 1, FleetTraits(), recall=0.99, decided=True),
    Circumstance("small fleet", 3, 1, FleetTraits(), recall=0.99, decided=True),
    Circumstance("a tie: nothing tells the two apart", 2, 1, FleetTraits()),
)


@dataclass(frozen=True)
class Figures:
    """Shares of searches, and means."""

    fleets: int
    tests: float
    rounds: float
    blamed: float
    """Searches that blamed a good node."""
    cleared: float
    """Searches that cleared a faulty node of the fault that it has."""
    recall: float
    """Share of faulty nodes that were blamed."""
    unshown: float
    """Searches that cleared a faulty node of other faults than the one that it has."""
    open: float
    """Searches in which nodes stay open."""

    @classmethod
    def of(cls, faulty: int, played: list[SearchResult]) -> Figures:
        """From one result per fleet."""
        mean = lambda values: round(float(np.mean(list(values))), 4)  # noqa: E731
        return cls(
            len(played), mean(r.tests for r in played), mean(r.rounds for r in played), mean(r.wrong > 0 for r in played),
            mean(r.cleared > 0 for r in played), 1.0 - mean(r.missed for r in played) / max(1, faulty),
            mean(r.unshown > 0 for r in played), mean(r.open > 0 for r in played),
        )  # fmt: skip

    def missed_goals(self, circumstance: Circumstance) -> list[str]:
        """What is worse than its goal."""
        goals = (
            (self.blamed <= BLAMED, f"blamed {self.blamed:.1%}, goal {BLAMED:.0%}"),
            (self.cleared < CLEARED, f"cleared {self.cleared:.1%}, goal below {CLEARED:.0%}"),
            (self.recall >= circumstance.recall, f"found {self.recall:.1%}, goal {circumstance.recall:.0%}"),
            (not (circumstance.decided and self.open), f"open {self.open:.1%}, goal 0%"),
        )
        return [text for reached, text in goals if not reached]


@cache
def _settings() -> SearchSettings:
    return search_settings(load())


def play(circumstance: Circumstance, seed: int) -> SearchResult:
    """One fleet."""
    return simulate(
        circumstance.nodes,
        circumstance.faulty,
        _settings(),
        seed=seed,
        traits=circumstance.traits,
        soak=circumstance.soak,
    )


def figures(circumstance: Circumstance, fleets: int, pool: ProcessPoolExecutor) -> Figures:
    """All fleets of one kind."""
    played = list(pool.map(partial(play, circumstance), range(fleets), chunksize=CHUNK))
    return Figures.of(circumstance.faulty, played)


def stored() -> list[Figures]:
    """The published figures, in the order of `CIRCUMSTANCES`."""
    return [Figures(**row) for row in json.loads(STORED.read_text(encoding="utf-8"))]


def table(rows: Iterable[Figures]) -> str:
    """Markdown, one line per kind of fleet."""
    head = "| Fleet | Nodes, faulty | Tests | Rounds | Blamed a good node | Cleared a fault | Faulty nodes found | Did not show | Left open | Fleets |"
    lines = [head, f"|{'---|' * 10}"]
    for circumstance, row in zip(CIRCUMSTANCES, rows, strict=True):
        nodes = row.fleets * circumstance.faulty
        recall = f"{row.recall:.1%} (above {lower(row.recall, nodes):.1%})" if nodes else "none to find"
        blamed, cleared = (f"{share:.1%} (below {upper(share, row.fleets):.1%})" for share in (row.blamed, row.cleared))
        lines.append(
            f"| {circumstance.name} | {circumstance.nodes}, {circumstance.faulty} | {row.tests:.1f} | {row.rounds:.1f} | {blamed} "
            f"| {cleared} | {recall} | {row.unshown:.1%} | {row.open:.1%} | {row.fleets:,} |"
        )
    return "\n".join(lines)


def store(rows: Mapping[Circumstance, Figures]) -> None:
    """Write the figures beside this module in place of earlier ones of the same kind of fleet."""
    earlier = dict(zip(CIRCUMSTANCES, stored(), strict=True)) if STORED.exists() else {}
    every_kind = [{**earlier, **rows}[circumstance] for circumstance in CIRCUMSTANCES]
    lines = ",\n".join(f"  {json.dumps(asdict(figures_))}" for figures_ in every_kind)
    STORED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
