"""Chooses the parts to test together next: few tests at the same time, with the highest information gain.

The value of a group is the gain of its outcome beyond the other groups of the round, in bits; a group grows while its
value does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rackwright.isolate.scenarios import Bools

LEAST_GAIN = 1e-9


@dataclass(frozen=True)
class RoundRules:
    """Bounds of a round."""

    largest: int
    """Most parts in one group."""
    worth: float
    """Expected gain in bits below which a test waits for a later round."""


def most_telling(faulty: Bools, parts: Sequence[int], rules: RoundRules) -> list[list[int]]:
    """Groups of `parts`; `faulty` has shape (sets, parts), its columns in the order of `parts`."""
    order = np.argsort(-faulty.mean(axis=0), kind="stable")
    round_ = _Round(faulty)
    groups: list[list[int]] = []
    free = [int(column) for column in order]
    while free:
        group, bits = round_.grow(free, rules.largest)
        if bits < rules.worth:
            break
        groups.append([parts[column] for column in group])
        free = [column for column in free if column not in set(group)]
    return groups


class _Round:
    """The outcomes of the groups so far, as one label per set."""

    def __init__(self, faulty: Bools) -> None:
        self._faulty = faulty
        self._labels: NDArray[np.int64] = np.zeros(len(faulty), np.int64)
        self._bits = 0.0

    def grow(self, free: Sequence[int], largest: int) -> tuple[list[int], float]:
        """The group with the highest gain beyond the groups before it, and its gain in bits; the group joins the round."""
        outcome = np.zeros(len(self._faulty), np.bool_)
        group: list[int] = []
        best, labels = self._bits, self._labels
        for column in free:
            if len(group) == largest:
                break
            wider = outcome | self._faulty[:, column]
            split = self._labels * 2 + wider
            bits = entropy(split)
            if bits > best + LEAST_GAIN:
                outcome, best, labels = wider, bits, split
                group.append(column)
        gained, self._bits = best - self._bits, best
        self._labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        return group, gained


def entropy(labels: NDArray[np.int64]) -> float:
    """Entropy of the labels in bits (Shannon 1948)."""
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-(shares * np.log2(shares)).sum())
