"""Plays searches for faulty nodes over fleets made faulty by chance: ours, and those that others publish, on the same fleets.

In: nothing. Out: tests, rounds, good nodes blamed and faulty ones missed per strategy, beside the bound of information theory and the goals. Others are
modelled after their sources: all pairs (microsoft/superbenchmark 0.12, facebookresearch/gcm 2025-12-25), a random matching and one retest of
every suspect with a node that passed (GoogleCloudPlatform/cluster-health-scanner 2025-10-31), bisection (NVIDIA/nccl#349).
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from rackwright import catalog
from rackwright.design import sizing
from rackwright.isolate import Played, Settings, settings, simulate
from rackwright.isolate.conclude import conclude
from rackwright.isolate.conduct import conduct
from rackwright.isolate.cost import bound
from rackwright.isolate.isolation import Isolation
from rackwright.isolate.play import Play, random_faults
from rackwright.isolate.settings import wired
from rackwright.isolate.setup import Ready, ready
from rackwright.isolate.simulate import Fleet
from rackwright.judge.limits import load

SIZES = ((232, 5), (232, 1), (232, 0), (1024, 3), (4096, 3))
"""(nodes, faulty nodes)"""
FLOOR = 0.95
"""A strategy without probabilities calls a test bad below this share: half-way to the weakest fault."""
Strategy = Callable[[int, int, Settings, int], Played]


@dataclass(frozen=True)
class Goal:
    """What the mean over all fleets of a size must stay below."""

    tests: float
    rounds: float
    source: str


GOALS = {
    (232, 5): Goal(55, 7, "best published: NVIDIA/cluster-readiness-engine ADR-055; aim 40 tests"),
    (232, 0): Goal(28, 3, "best published: NVIDIA/cluster-readiness-engine ADR-055"),
    (4096, 3): Goal(math.inf, 12, "aim"),
}
BLAMED, MISSED = 0.001, 0.01
"""Shares of searches that may blame a good node, and miss a faulty one."""


def _bad(fleet: Fleet, group: list[int]) -> bool:
    return fleet.reading(group) < FLOOR


def _played(fleet: Fleet, found: set[int], tests: int, rounds: int, tested: int) -> Played:
    return Played(tests, rounds, tested, len(found - fleet.faulty), len(fleet.faulty - found))


def ours(nodes: int, faulty: int, known: Settings, seed: int) -> Played:
    """`rackwright.isolate`, one reading per test, nothing known of the wiring."""
    return simulate(nodes, faulty, known, seed=seed)


@cache
def _told_share(faulty: int, nodes: int) -> float:
    return wired(load()).expecting(faulty, nodes).search.prior


def expecting(nodes: int, faulty: int, known: Settings, seed: int) -> Played:
    """The same when it is told how many are thought faulty: larger groups, fewer tests, more rounds."""
    return simulate(nodes, faulty, replace(known, prior=_told_share(faulty, nodes)), seed=seed)


def all_pairs(nodes: int, faulty: int, known: Settings, seed: int) -> Played:
    """A node is bad when most of its pairs are."""
    fleet = Fleet(nodes, faulty, known.noise, seed)
    bad = np.zeros(nodes)
    for one in range(nodes):
        for other in range(one):
            if _bad(fleet, [one, other]):
                bad[[one, other]] += 1
    pairs = nodes * (nodes - 1) // 2
    return _played(fleet, set(np.flatnonzero(bad > nodes / 2).tolist()), pairs, nodes - 1 + nodes % 2, 2 * pairs)


def matching(nodes: int, faulty: int, known: Settings, seed: int) -> Played:
    """Random pairs, then every suspect with a random node that passed."""
    fleet, chance = Fleet(nodes, faulty, known.noise, seed), np.random.default_rng(seed + 1)
    order = chance.permutation(nodes).tolist()
    pairs = [order[start : start + 2] for start in range(0, nodes - 1, 2)]
    bad = {node for pair in pairs if _bad(fleet, pair) for node in pair}
    passed = [node for node in order if node not in bad]
    found = {node for node in bad if _bad(fleet, [node, int(chance.choice(passed))])}
    return _played(fleet, found, len(pairs) + len(bad), 2, nodes + 2 * len(bad))


def bisection(nodes: int, faulty: int, known: Settings, seed: int) -> Played:
    """Halves of what is bad, both at the same time, down to single nodes with a known good one."""
    fleet = Fleet(nodes, faulty, known.noise, seed)
    bad, found = [list(range(nodes))], set()
    tests, rounds, tested = 1, 1, nodes
    if not _bad(fleet, bad[0]):
        return _played(fleet, found, tests, rounds, tested)
    while bad:
        halves = [half for group in bad for half in (group[: len(group) // 2], group[len(group) // 2 :]) if half]
        tests, rounds = tests + len(halves), rounds + 1
        tested += sum(max(2, len(half)) for half in halves)
        still = [half for half in halves if _bad(fleet, half)]
        found |= {half[0] for half in still if len(half) == 1}
        bad = [half for half in still if len(half) > 1]
    return _played(fleet, found, tests, rounds, tested)


STRATEGIES: dict[str, tuple[Strategy, int]] = {
    "rackwright": (ours, 1000),
    "rackwright, told how many": (expecting, 1000),
    "bisection": (bisection, 1000),
    "matching and retest": (matching, 1000),
    "all pairs": (all_pairs, 2),
}
"""How, and how many fleets; all pairs take minutes each and hardly depend on chance."""
LARGE = 1024
"""From this size on a search takes a second: a tenth of the fleets of `expecting`."""


def lines(fleets: int | None, over_wiring: int) -> Iterator[tuple[str, bool]]:
    """One line per strategy and size, and whether its goal is reached; `over_wiring` fleets are played over a real wiring as well."""
    known = settings(load())
    for nodes, faulty in SIZES:
        yield f"{nodes} nodes, {faulty} faulty: no strategy below {bound(nodes, faulty)} tests", True
        for name, (play, most) in STRATEGIES.items():
            if (name == "all pairs" and (nodes > SIZES[0][0] or not faulty)) or (play is expecting and not faulty):
                continue
            count = min(most // 10 if play is expecting and nodes >= LARGE else most, fleets or most)
            played = [play(nodes, faulty, known, seed) for seed in range(count)]
            yield f"  {name:26} {_told(played)}", True
            if play is ours:
                yield from _goal(nodes, faulty, played)
    if over_wiring:
        yield from _over_wiring(over_wiring)


def _goal(nodes: int, faulty: int, played: Sequence[Played]) -> Iterator[tuple[str, bool]]:
    """Goals of a size, and of error rates over all sizes."""
    blamed, missed = (sum(getattr(one, name) > 0 for one in played) / len(played) for name in ("wrong", "missed"))
    reached = blamed <= BLAMED and missed <= MISSED
    told = f"blamed at most {BLAMED:.1%} {_upper(blamed, len(played))}, missed at most {MISSED:.1%} {_upper(missed, len(played))}"
    goal = GOALS.get((nodes, faulty))
    if goal is not None:
        reached &= float(np.mean([one.tests for one in played])) <= goal.tests
        reached &= float(np.mean([one.rounds for one in played])) <= goal.rounds
        told += f", {goal.tests:g} tests, {goal.rounds:g} rounds ({goal.source})"
    yield f"    goal: {told}  {'reached' if reached else 'MISSED'}", reached


def _upper(share: float, count: int) -> str:
    """Upper end of the 95 % interval of a share that was counted (Wilson 1927)."""
    z = 1.96
    middle = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return f"(below {(middle + spread) / (1 + z * z / count):.2%} with 95 % confidence)"


def _told(played: Sequence[Played]) -> str:
    tests, rounds, tested = ([getattr(one, name) for one in played] for name in ("tests", "rounds", "tested"))
    wrong, missed = (sum(getattr(one, name) > 0 for one in played) / len(played) for name in ("wrong", "missed"))
    return (
        f"tests {np.mean(tests):8.1f} (half {np.median(tests):6.0f}, 95 % {np.percentile(tests, 95):6.0f})  "
        f"rounds {np.mean(rounds):6.2f} ({np.median(rounds):3.0f}, {np.percentile(rounds, 95):3.0f})  "
        f"nodes in tests {np.mean(tested):8.0f}  blamed a good one {wrong:6.2%}  missed one {missed:6.2%}  of {len(played)}"
    )


def _over_wiring(fleets: int) -> Iterator[tuple[str, bool]]:
    """Hosts, insides and rails of five nodes at fault, over the wiring of a sized site, screens with full coverage included."""
    known = catalog.load()
    ask = sizing.Ask(
        accelerators=232 * 8, server="dgx-h100", fabric="ndr-rail", storage="better", scheduler="slurm", site="race",
        racks_per_row=None, hall_kw=20000, ufm=False,
    )  # fmt: skip
    made = ready(sizing.size(ask, known).design, load())
    yield "232 nodes, 5 faulty parts (host, inside or one rail), over declared wiring, coverage of it included", True
    for name, rails in (("read rail by rail", True), ("one reading per test", False)):
        rows = [_wired(made, seed, rails=rails) for seed in range(fleets)]
        exact = sum(one for _, one in rows) / len(rows)
        yield f"  {name:26} {_told([one for one, _ in rows])}  every part named {exact:.1%}", True


def _wired(made: Ready, seed: int, *, rails: bool) -> tuple[Played, bool]:
    """One search, and whether every faulty part was found, alone or as one of few in its node."""
    noise = made.known.search.noise
    faults = random_faults(made.atoms, 5, made.known.chance, noise, seed)
    isolation = Isolation(made.atoms, made.known, made.screens, seed=seed)
    conduct(isolation, Play(made.atoms, faults, noise, seed=seed, rails=rails))
    said = conclude(isolation)
    owners = {part.names[0].partition("/")[0] for part in faults}
    found = {name for one in said.found for kind in [one.part.kind] for name in _called(kind, one.part.names)}
    tested = sum(len(one.trial.nodes) for one in isolation.told)
    wrong, missed = len(set(said.faulty) - owners), len(owners - set(said.faulty))
    return Played(said.tests, said.rounds, tested, wrong, missed), found >= {f"{p.kind} {p.names[0]}" for p in faults}


def _called(kind: str, names: Sequence[str]) -> set[str]:
    """Names with their kinds: of a part that is one of several kinds the others are written out."""
    return {name if " " in name else f"{kind} {name}" for name in names}


@dataclass(frozen=True)
class Race:
    """The goals of isolation, among all others of ``run.py``."""

    name: str
    fleets: int | None
    """Per size; None: as many as the goals ask for."""

    def lines(self) -> Iterator[tuple[str, bool]]:
        """What was reached, one line per size that has a goal."""
        known = settings(load())
        for nodes, faulty in GOALS:
            played = [ours(nodes, faulty, known, seed) for seed in range(self.fleets or STRATEGIES["rackwright"][1])]
            _, reached = next(_goal(nodes, faulty, played))
            tests, rounds = (float(np.mean([getattr(one, name) for one in played])) for name in ("tests", "rounds"))
            goal = GOALS[nodes, faulty]
            told = f"{nodes} nodes, {faulty} faulty: {tests:.1f} tests in {rounds:.2f} rounds of {len(played)} fleets"
            yield f"{told}  goal {goal.tests:g} tests, {goal.rounds:g} rounds", reached


def main() -> int:
    """Print the table; 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fleets", type=int, help="fewer fleets per line")
    parser.add_argument("--wired", type=int, default=20, help="fleets that are played over a wiring (default 20)")
    args = parser.parse_args()
    started = time.monotonic()
    missed = 0
    for line, reached in lines(args.fleets, args.wired):
        missed += not reached
        print(line, flush=True)
    print(f"{time.monotonic() - started:.0f} s")
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
