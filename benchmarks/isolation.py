"""Plays searches for faulty nodes over fleets made faulty by chance: ours, and those that others publish, on the same fleets.

In: nothing. Out: tests, rounds, wrong and missed nodes per strategy, beside the bound of information theory. Others are modelled after their
sources (reference: acceptance.md section 3): all pairs (superbenchmark, gcm), a random matching and one retest of every suspect with a node
that passed (cluster-health-scanner), bisection (NVIDIA/nccl#349).
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator

import numpy as np

from rackwright.isolate import Played, Settings, settings, simulate
from rackwright.isolate.simulate import Fleet
from rackwright.judge.limits import load

SIZES = ((232, 0), (232, 1), (232, 5), (1024, 3), (4096, 3))
"""(nodes, faulty nodes)"""
FLOOR = 0.95
"""A strategy without probabilities calls a test bad below this share: half-way to the weakest fault."""
Strategy = Callable[[int, int, Settings, int], Played]


def _bad(fleet: Fleet, group: list[int]) -> bool:
    return fleet.reading(group) < FLOOR


def _played(fleet: Fleet, found: set[int], tests: int, rounds: int, tested: int) -> Played:
    return Played(tests, rounds, tested, len(found - fleet.faulty), len(fleet.faulty - found))


def ours(nodes: int, faulty: int, known: Settings, seed: int) -> Played:
    """`rackwright.isolate`."""
    return simulate(nodes, faulty, known, seed=seed)


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
    "bisection": (bisection, 1000),
    "matching and retest": (matching, 1000),
    "all pairs": (all_pairs, 5),
}
"""How, and how many fleets; all pairs take minutes each and do not depend on chance."""


def bound(nodes: int, faulty: int) -> int:
    """Tests that no strategy can do without: bits that name the faulty nodes among all, one per test."""
    return math.ceil(math.log2(math.comb(nodes, faulty)))


def lines(fleets: int | None) -> Iterator[str]:
    """One line per strategy and size."""
    known = settings(load())
    for nodes, faulty in SIZES:
        yield f"{nodes} nodes, {faulty} faulty: no strategy below {bound(nodes, faulty)} tests"
        for name, (play, count) in STRATEGIES.items():
            if name == "all pairs" and nodes > SIZES[0][0]:
                continue
            yield f"  {name:20} {_told([play(nodes, faulty, known, seed) for seed in range(min(count, fleets or count))])}"


def _told(played: list[Played]) -> str:
    tests, rounds, tested = ([getattr(one, name) for one in played] for name in ("tests", "rounds", "tested"))
    wrong, missed = (sum(getattr(one, name) > 0 for one in played) / len(played) for name in ("wrong", "missed"))
    return (
        f"tests {np.mean(tests):8.1f} (95 %: {np.percentile(tests, 95):6.0f})  rounds {np.mean(rounds):6.2f} "
        f"(95 %: {np.percentile(rounds, 95):3.0f})  nodes in tests {np.mean(tested):8.0f}  "
        f"blamed a good one {wrong:6.2%}  missed one {missed:6.2%}  of {len(played)}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fleets", type=int, help="fewer fleets per line")
    started = time.monotonic()
    for line in lines(parser.parse_args().fleets):
        print(line, flush=True)
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
