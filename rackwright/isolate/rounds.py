"""What makes groups into a round of tests: the screens of everything, riders, and partners for a part that is tested alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from rackwright.isolate.scenarios import Bools

PAIR = 2
LIKELY = 0.5
"""Fault probability from which a part is tested alone: the result of a group with it would be known in advance."""


def complete(
    groups_: list[list[int]], columns: Mapping[int, int], faulty: Bools, alone: Collection[int], largest: int
) -> list[list[int]]:
    """`found` with the suspects that are in no group yet: those of `alone` alone, the others as riders where a test will hardly be bad.

    `faulty` has shape (sets, suspects) and `columns` the place of each suspect in it. A good test clears riders at no cost; a bad one
    says nothing of them. So a rider goes where most sets expect a good test even with it, and waits where none do.
    """
    used = {part for group in groups_ for part in group}
    chance = faulty.mean(axis=0)
    riders = sorted((part for part in columns if part not in used and chance[columns[part]] <= LIKELY),
                    key=lambda part: (chance[columns[part]], part))  # fmt: skip
    groups: list[tuple[list[int], Bools]] = [
        (list(group), np.asarray(faulty[:, [columns[part] for part in group]].any(axis=1))) for group in groups_
    ]
    carriers = [group for group in groups if len(group[0]) > 1]
    for part in riders:
        bad: Bools = np.asarray(faulty[:, columns[part]])
        fitting = [carrier for carrier in carriers if len(carrier[0]) < largest and _good(carrier[1], bad) > LIKELY]
        best = max(
            fitting,
            key=lambda carrier: _good(carrier[1], bad) - _good(carrier[1]) + len(carrier[0]) / -largest,
            default=None,
        )
        if best is None:
            best = ([], np.zeros(len(faulty), np.bool_))
            carriers.append(best)
            groups.append(best)
        best[0].append(part)
        np.logical_or(best[1], bad, out=best[1])
    return [*(group for group, _ in groups), *([part] for part in alone if part not in used)]


def _good(*bad: Bools) -> float:
    """Share of sets by which a test is good of which any of `bad` makes a bad one."""
    return float(1.0 - np.any(bad, axis=0).mean())


def with_partners(
    groups: Sequence[list[int]], partners: Sequence[int], met: Collection[frozenset[int]]
) -> list[list[int]]:
    """A part alone is tested with the first of `partners` with which it has not been a pair (`met`); without one it waits."""
    busy = {part for group in groups for part in group}
    free = [part for part in partners if part not in busy]
    ready = []
    for group in groups:
        if len(group) >= PAIR:
            ready.append(group)
            continue
        partner = next((part for part in free if frozenset({part, *group}) not in met), None)
        if partner is not None:
            free.remove(partner)
            ready.append([*group, partner])
    return ready


def _neighbours(parts: int, count: int) -> list[list[int]]:
    """Groups of neighbours, which show faults of parts that they share (a leaf, a loop)."""
    return [list(range(parts * index // count, parts * (index + 1) // count)) for index in range(count)]


def _far_apart(parts: int, count: int) -> list[list[int]]:
    """Groups in which every part has other partners than in the first screen."""
    return [list(range(start, parts, count)) for start in range(count)]


def shuffled(parts: int, count: int, rounds: int, seed: int) -> list[list[list[int]]]:
    """`rounds` rounds of all parts in `count` groups each, in shuffled order: stress over time, with other partners
    each time.
    """
    chance = np.random.default_rng((seed, rounds))
    orders = (chance.permutation(parts).tolist() for _ in range(rounds))
    return [[order[start::count] for start in range(count)] for order in orders if parts >= PAIR]


SCREENS = (_neighbours, _far_apart)
"""The screens: few rounds in which every part stands twice, with others each time."""
