"""The search for faults that do not show in every test, besides the search that takes every good test as proof.

A group that was bad once and whose parts are good elsewhere is repeated as a whole: `HuntRules.quiet` good repeats
clear all of its parts, down to a stated frequency. A group that was bad again is halved, as a noisy bisection: the
groups of a round have the highest information gain over the sets that explain the readings. Parts that are not
identified then stay open; they are never cleared.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from rackwright.isolate.intermittence import FrequencySets
from rackwright.isolate.posterior import Floats
from rackwright.isolate.scenarios import GroupReading

DOUBTED = 0.02
"""Two bad readings belong together if a part with this fault probability is in both.

It only orders tests and decides nothing.
"""
LEAST_DOUBT = 1e-4
"""Parts below this probability get no tests of their own: the `DRAWS` sets hardly contain them."""
LIKELY = 0.5
"""Probability above which a part is more probably faulty than not."""
DRAWS = 400
"""Number of sets drawn to choose tests: they estimate a probability of one half within 2.5 %, which suffices to order
tests.
"""
MARGIN = 1e-6
"""Bits; a lower gain counts as rounding."""


@dataclass(frozen=True)
class HuntRules:
    """Limits of decisions; the values are in ``validators/limits/isolation.yaml``, with their reasons."""

    proven: float
    """Posterior probability from which a part can be blamed."""
    doubted: float
    """A part that is more probably faulty is not cleared, however many of its tests are good."""
    unexplained: float
    """Log-likelihood ratio (natural logarithm) from which a reading needs an explanation."""
    quiet: int
    """Good repeats after which a group that was bad once counts as disturbed."""
    rounds: int
    """Rounds of a hunt; parts that are not identified by then stay open."""
    worth: float
    """Expected gain in bits below which a test waits."""


class Hunt:
    """The state of the hunt after some readings."""

    def __init__(self, readings: Sequence[GroupReading], sets: FrequencySets, rules: HuntRules) -> None:
        self._readings, self._sets, self._rules = readings, sets, rules
        at_times = (entry.probability for entry in sets.sets if any(level for _, level in entry.members))
        self.shows_at_times = sum(at_times) > LIKELY
        """Whether it is more probable than not that some fault does not show in every test."""
        self.likely = [part for part, share in sets.chance.items() if share >= rules.proven]
        """Parts that explain their bad readings."""
        self.unexplained = [
            reading
            for reading in readings
            if reading.weight > rules.unexplained and not reading.parts & set(self.likely)
        ]
        """Bad readings without a part of `likely`."""
        self.doubted = frozenset[int]().union(
            *(reading.parts for reading in self.unexplained if not self._quiet(reading))
        )
        """Parts of unexplained readings that were not repeated often enough."""

    def chance(self, part: int) -> float:
        """Posterior fault probability; 0 for parts without a bad reading."""
        return self._sets.chance.get(part, 0.0)

    def cleared(self, part: int) -> bool:
        """Whether a part whose tests are good can be cleared."""
        return part not in self.doubted and self.chance(part) < self._rules.doubted

    def bad(self, part: int) -> int:
        """Number of bad readings of a part that nothing explains."""
        return sum(part in reading.parts for reading in self.unexplained)

    def groups(self, faulty: Collection[int], given_up: Collection[int], largest: int, seed: int) -> list[list[int]]:
        """The groups to test next, without a common part; a part alone needs a partner.

        `faulty` parts are blamed, `given_up` ones cannot be tested.
        """
        chosen: list[list[int]] = []
        used = set(given_up)
        for reading in self.unexplained:
            if self._alone(reading) and not self._quiet(reading) and not used & reading.parts:
                chosen.append(sorted(reading.parts))
                used |= reading.parts
        suspects = sorted(
            (part for part in self.doubted - used if LEAST_DOUBT < self.chance(part) < self._rules.proven),
            key=lambda part: (-self.chance(part), part),
        )
        chosen += telling_groups(self._sets, suspects, largest, self._rules.worth, seed)
        used |= {part for group in chosen for part in group}
        unconfirmed = (part for part, share in self._sets.chance.items() if share > LIKELY and part not in faulty)
        return [*chosen, *([part] for part in unconfirmed if part not in used)]

    def _alone(self, reading: GroupReading) -> bool:
        """Whether no other unexplained reading may be bad because of the same part."""
        shared = (reading.parts & peer.parts for peer in self.unexplained if peer is not reading)
        return not any(self.chance(part) > DOUBTED for parts in shared for part in parts)

    def _quiet(self, reading: GroupReading) -> bool:
        """Whether a group was bad once, and good in enough repeats."""
        again = sum(peer.parts <= reading.parts or reading.parts <= peer.parts for peer in self.unexplained) > 1
        good = sum(peer.weight <= 0 and reading.parts <= peer.parts for peer in self._readings)
        return not again and good >= self._rules.quiet


def telling_groups(
    sets: FrequencySets, doubted: Sequence[int], largest: int, worth: float, seed: int
) -> list[list[int]]:
    """Groups of `doubted` without a common part, each with an expected gain of `worth` bits."""
    frequencies = _draw(sets, doubted, seed) if doubted else np.zeros((1, 0))
    free = list(range(len(doubted)))
    groups: list[list[int]] = []
    while free:
        group, gain = _grow(frequencies, free, largest)
        if gain < worth:
            break
        groups.append([doubted[column] for column in group])
        free = [column for column in free if column not in group]
    return groups


def _grow(frequencies: Floats, free: Sequence[int], largest: int) -> tuple[list[int], float]:
    """The group with the highest gain that adding single parts leads to, and its gain in bits."""
    hidden = np.ones(len(frequencies))
    group: list[int] = []
    gain = 0.0
    for column in free:
        wider = hidden * (1.0 - frequencies[:, column])
        if len(group) < largest and (bits := _gain(wider)) > gain + MARGIN:
            hidden, gain = wider, bits
            group.append(column)
    return group, gain


def _draw(sets: FrequencySets, doubted: Sequence[int], seed: int) -> Floats:
    """Shape (DRAWS, doubted): frequency of each part in sets drawn by their probability; 0 if it is not faulty.

    The mean frequency of a part represents all of its frequencies: tests are not chosen to measure it.
    """
    draw = np.random.default_rng(seed)
    column = {part: at for at, part in enumerate(doubted)}
    weight = np.array([entry.probability for entry in sets.sets])
    frequencies = np.zeros((DRAWS, len(doubted)))
    for row, at in enumerate(draw.choice(len(weight), DRAWS, p=weight / weight.sum()).tolist()):
        for group, _ in sets.sets[at].members:
            parts = sets.classes[group]
            part = parts[int(draw.integers(len(parts)))]
            if part in column:
                frequencies[row, column[part]] = sets.frequency[part]
    return frequencies


def _gain(hidden: Floats) -> float:
    """Bits that a test yields about which set is true; `hidden`: probability of a good test by set."""
    return float(_entropy(hidden.mean(keepdims=True))[0] - _entropy(hidden).mean())


def _entropy(chance: Floats) -> Floats:
    chance = np.clip(chance, 1e-12, 1.0 - 1e-12)
    return np.asarray(-chance * np.log2(chance) - (1.0 - chance) * np.log2(1.0 - chance))
