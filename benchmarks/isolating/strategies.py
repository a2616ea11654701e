"""Searches for faulty nodes over fleets made faulty by chance: ours, and those that others publish, on the same fleets.

Others are modelled after their sources: all pairs (microsoft/superbenchmark
0.12, facebookresearch/gcm 2025-12-25), a random matching and one retest of every suspect with a node that passed
(GoogleCloudPlatform/cluster-health-scanner 2025-10-31), bisection (NVIDIA/nccl#349).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from rackwright.isolate import SearchResult, SearchSettings, simulate
from rackwright.isolate.noise import HIGHEST
from rackwright.isolate.settings import isolation_settings
from rackwright.isolate.simulate import LEAST_LOSS, WORST_LOSS, SimulatedFleet
from rackwright.judge.limits import load

FLOOR = 0.95
"""A strategy without probabilities calls a test bad below this share: half-way to the weakest fault."""
OURS, TOLD = "rackwright", "rackwright, told how many"
Strategy = Callable[[int, int, SearchSettings, int], SearchResult]


def ours(nodes: int, faulty: int, settings: SearchSettings, seed: int) -> SearchResult:
    """`rackwright.isolate`, one reading per test, nothing known of the wiring."""
    return simulate(nodes, faulty, settings, seed=seed)


@cache
def _told_share(faulty: int, nodes: int) -> float:
    return isolation_settings(load()).expecting(faulty, nodes).search.prior


def expecting(nodes: int, faulty: int, settings: SearchSettings, seed: int) -> SearchResult:
    """The same with the expected number of faulty nodes as prior: larger groups, fewer tests, more rounds."""
    return simulate(nodes, faulty, replace(settings, prior=_told_share(faulty, nodes)), seed=seed)


def all_pairs(nodes: int, faulty: int, settings: SearchSettings, seed: int) -> SearchResult:
    """A node is bad when most of its pairs are."""
    fleet, chance, noise = (
        SimulatedFleet(nodes, faulty, settings.noise, seed),
        np.random.default_rng(seed + 1),
        settings.noise,
    )
    low = np.tril(np.ones((nodes, nodes), np.bool_), -1)
    loss = np.repeat(fleet.loss[None], nodes, axis=0)
    for part in fleet.unsteady:
        loss[:, part] = chance.uniform(LEAST_LOSS, WORST_LOSS, nodes)
    reading = 1.0 - np.maximum(loss, loss.T) + chance.normal(0.0, noise.sigma, (nodes, nodes))
    stray = chance.random((nodes, nodes)) < noise.disturbed
    bad = low & (np.where(stray, chance.uniform(0.0, HIGHEST, (nodes, nodes)), reading) < FLOOR)
    blamed = set(np.flatnonzero(bad.sum(axis=0) + bad.sum(axis=1) > nodes / 2).tolist())
    pairs = nodes * (nodes - 1) // 2
    return _played(fleet, blamed, pairs, nodes - 1 + nodes % 2, 2 * pairs)


def matching(nodes: int, faulty: int, settings: SearchSettings, seed: int) -> SearchResult:
    """Random pairs, then every suspect with a random node that passed."""
    fleet, chance = SimulatedFleet(nodes, faulty, settings.noise, seed), np.random.default_rng(seed + 1)
    order = chance.permutation(nodes).tolist()
    pairs = [order[start : start + 2] for start in range(0, nodes - 1, 2)]
    bad = {node for pair in pairs if _bad(fleet, pair) for node in pair}
    passed = [node for node in order if node not in bad]
    blamed = {node for node in bad if _bad(fleet, [node, int(chance.choice(passed))])}
    return _played(fleet, blamed, len(pairs) + len(bad), 2, nodes + 2 * len(bad))


def bisection(nodes: int, faulty: int, settings: SearchSettings, seed: int) -> SearchResult:
    """Halves of what is bad, both at the same time, down to single nodes with a known good one."""
    fleet = SimulatedFleet(nodes, faulty, settings.noise, seed)
    bad, blamed = [list(range(nodes))], set()
    tests, rounds, tested = 1, 1, nodes
    if not _bad(fleet, bad[0]):
        return _played(fleet, blamed, tests, rounds, tested)
    while bad:
        halves = [half for group in bad for half in (group[: len(group) // 2], group[len(group) // 2 :]) if half]
        tests, rounds = tests + len(halves), rounds + 1
        tested += sum(max(2, len(half)) for half in halves)
        still = [half for half in halves if _bad(fleet, half)]
        blamed |= {half[0] for half in still if len(half) == 1}
        bad = [half for half in still if len(half) > 1]
    return _played(fleet, blamed, tests, rounds, tested)


STRATEGIES: dict[str, Strategy] = {
    OURS: ours,
    TOLD: expecting,
    "bisection": bisection,
    "matching and retest": matching,
    "all pairs": all_pairs,
}


def _bad(fleet: SimulatedFleet, group: list[int]) -> bool:
    return fleet.reading(group) < FLOOR


def _played(fleet: SimulatedFleet, blamed: set[int], tests: int, rounds: int, tested: int) -> SearchResult:
    return SearchResult(tests, rounds, tested, len(blamed - fleet.faulty), len(fleet.faulty - blamed))
