"""The most that the nodes of a wiring can put over each cable between switches, and over each switch above the leaves.

Each rail sends one flow and receives one, so between one group of leaves and all others no more can flow than the rails of the smaller side (a cut; Ford and Fulkerson 1956), spread over the members of the bundle. A half-empty unit cannot fill its uplinks, and no arrangement of tests changes that.
"""

from __future__ import annotations

import numpy as np

from rackwright.isolate.paths import Bundle
from rackwright.isolate.posterior import Floats
from rackwright.isolate.survivors import FLOWS, ExerciseCounts
from rackwright.isolate.wiring import NONE, Ints


def reach(tally: ExerciseCounts) -> dict[str, Floats]:
    """Share of the rate by cable and switch; parts that no flow crosses count as full (1)."""
    wiring = tally.wiring
    leaf = wiring.leaf.reshape(-1)
    rails = np.bincount(leaf[leaf != NONE], minlength=len(wiring.switches))
    met: dict[Bundle, list[Ints]] = {}
    for round_ in tally.flows:
        for bundle, flows in round_.items():
            ways = np.unique(leaf[flows // FLOWS] * FLOWS + leaf[flows % FLOWS])
            met.setdefault(bundle, []).append(ways)
    rates = {"cable": np.zeros(len(wiring.cables)), "switch": np.zeros(len(wiring.switches))}
    for bundle, ways_ in met.items():
        ways = np.unique(np.concatenate(ways_))
        rates[bundle.kind][list(bundle.members)] += _flows(ways, rails) / len(bundle.members)
    return {kind: np.where(rate > 0, rate, 1.0) for kind, rate in rates.items()}


def _flows(ways: Ints, rails: Ints) -> float:
    """Both directions together are two flows per rail of the smaller side; without two sides every rail sends one."""
    total = float(rails.sum())
    sides = _sides(ways)
    if sides is None:
        return float(rails[np.unique(np.concatenate([ways // FLOWS, ways % FLOWS]))].sum()) / 2.0
    fewest = min(len(side) for side in sides)
    counts = [float(rails[sorted(side)].sum()) for side in sides if len(side) == fewest]
    return max(min(count, total - count) for count in counts)


def _sides(ways: Ints) -> tuple[set[int], set[int]] | None:
    """Two groups of leaves such that every path has one end in each; None where no such groups exist."""
    near: dict[int, set[int]] = {}
    for a, b in zip((ways // FLOWS).tolist(), (ways % FLOWS).tolist(), strict=True):
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    side: dict[int, int] = {}
    for start in near:
        waiting = [] if start in side else [start]
        side.setdefault(start, 0)
        while waiting:
            leaf = waiting.pop()
            for neighbour in near[leaf]:
                if neighbour not in side:
                    side[neighbour] = 1 - side[leaf]
                    waiting.append(neighbour)
                elif side[neighbour] == side[leaf]:
                    return None
    return {end for end, at in side.items() if at == 0}, {end for end, at in side.items() if at}
