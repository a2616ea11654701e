"""Finds faulty parts of a fleet: two screens of everything, then few tests with the highest information gain, until every part is decided.

Tests are chosen as if every fault showed in every test, which is cheapest where it holds. Nothing is blamed or cleared on that alone: `Hunt`
weighs all readings with faults that show at times, and asks for more tests where they contradict each other. It runs no test itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

import numpy as np

from rackwright.isolate import blame, groups, reference, rounds, scenarios
from rackwright.isolate.blame import BadTest
from rackwright.isolate.clearance import ExcludedFaults, reach
from rackwright.isolate.common_loss import CommonLoss
from rackwright.isolate.hunt import LIKELY, Hunt
from rackwright.isolate.intermittence import explain
from rackwright.isolate.noise import Noise
from rackwright.isolate.posterior import Floats
from rackwright.isolate.scenarios import GroupReading
from rackwright.isolate.search_state import SearchSettings, SearchState
from rackwright.isolate.steady import LEAST_TESTS, SteadyBelief

Readings = Sequence[tuple[Sequence[int], float]]
"""(parts, share of the expected value) of each test of a round."""
MOST_ALIKE = 3
"""Number of times that one group is tested. More repetitions add nothing; parts that are undecided then stay open."""


class Search:
    """One search over `parts` parts, ordered by neighbourhood (rack by rack, leaf by leaf)."""

    def __init__(
        self, parts: int, settings: SearchSettings, *, seed: int = 0, screens: bool = True, soak: int = 0
    ) -> None:
        """`screens`: False when the rounds that test everything are made elsewhere; `soak`: further rounds of all parts in shuffled order."""
        self._settings, self._seed, self._noise = settings, seed, settings.noise
        self._common = CommonLoss(settings.noise, settings.common)
        count = groups_of(parts, settings)
        self._screens = [make(parts, count) for make in rounds.SCREENS] if screens else []
        self._screens += rounds.shuffled(parts, count, soak, seed)
        self._rounds: list[Readings] = []  # as they were measured
        self._shares: list[tuple[Sequence[int], float]] = []
        self.left: set[int] = set()
        """Parts that are not tested any more, because their tests do not run; they stay open."""
        self._prior: Floats = np.full(parts, settings.prior)
        self._belief = SteadyBelief(parts, settings)
        self._readings: list[GroupReading] = []
        self._round = 0
        self._hunt = (-1, Hunt((), explain((), settings.prior, settings.intermittent), settings.hunt))
        self._hunts = 0
        self._spare, self._control = list[int](), list[int]()
        """Good parts that can be tested beside those of a hunt, and that are: where they are slow, the round is congested."""
        self._doubtful = False
        """Whether the last round of a hunt was bad as a whole, without good parts that say whether it was congested."""

    def next_round(self) -> list[list[int]]:
        """Groups that can be tested at the same time; empty when everything is decided."""
        self._round += 1
        self._spare, self._control = [], []
        if self._round <= len(self._screens):
            return self._screens[self._round - 1]
        steady = self._belief.decide(self._is_confirmed)
        can_tell = steady.open - self.left and not self._contradicts(steady)
        return (self._telling_groups(steady) if can_tell else []) or self._hunting_groups()

    def _contradicts(self, steady: SearchState) -> bool:
        """Whether faults do not show in every test: then tests chosen as if they did would be wasted.

        Either a bad reading has good parts alone if they did, or it is more probable than not that some fault shows at times.
        """
        hunt = self.hunt()
        return hunt.shows_at_times or any(reading.parts <= steady.good for reading in hunt.unexplained)

    def take_round(self, results: Readings) -> None:
        """Add the readings of one round, without what all of its tests lose together."""
        if self._tests_all(results):
            self._common.learn(*_columns(results))
        noise, levelled = self._common.noise(), self._level(results)
        if self._may_be_congested(noise, levelled):
            return  # no evidence about any part
        self._rounds.append(results)
        if noise != self._noise:
            self._noise, levelled = noise, [reading for round_ in self._rounds for reading in self._level(round_)]
            self._belief, self._readings, self._shares = SteadyBelief(len(self._prior), self._settings), [], []
        for group, share in levelled:
            self.take(group, share)

    def _may_be_congested(self, noise: Noise, levelled: Readings) -> bool:
        """Whether the good parts beside a hunt are slow or, where none were tested, everything is."""
        slow = [group for group, share in levelled if share < 1.0 - noise.weakest / 2.0]
        self._doubtful = bool(self._spare) and not self._control and len(slow) == len(levelled)
        return self._doubtful or (bool(self._control) and self._control in slow)

    def _level(self, results: Readings) -> Readings:
        shares = self._common.correct(*_columns(results), tests_all=self._tests_all(results))
        return [(group, share) for (group, _), share in zip(results, shares, strict=True)]

    def _tests_all(self, results: Readings) -> bool:
        return sum(len(group) for group, _ in results) >= len(self._prior)

    def take(self, group: Sequence[int], reading: float, evidence: tuple[float, float] | None = None) -> None:
        """Add the reading of a group, as a share of the expected value; leave out tests that did not run.

        `evidence` replaces what the reading alone implies, where more was measured.
        """
        evidence = evidence or self._noise.evidence(reading)
        self._shares.append((group, reading))
        self._belief.take(group, evidence)
        self._readings.append(GroupReading(frozenset(group), evidence, self._noise.levels(reading)))

    def hunt(self) -> Hunt:
        """All readings so far, with faults that need not show in every test."""
        if self._hunt[0] != len(self._readings):
            sets = explain(self._readings, self._settings.prior, self._settings.intermittent)
            self._hunt = (len(self._readings), Hunt(self._readings, sets, self._settings.hunt))
        return self._hunt[1]

    def standing(self) -> SearchState:
        """Decide as many parts as the readings allow, whether or not faults show in every test."""
        steady, doubts = self._belief.decide(self._is_confirmed), self.hunt()
        shown_good = steady.good.union(*(reading.parts for reading in self._readings if reading.weight <= 0))
        good = {
            part
            for part in range(len(self._prior))
            if self._belief.tests[part] >= LEAST_TESTS and doubts.cleared(part) and part in shown_good
        }
        faulty = frozenset(part for part in doubts.likely if self._is_confirmed(part, good))
        chance = np.array([doubts.chance(part) or steady.probability[part] for part in range(len(self._prior))])
        return SearchState(faulty, frozenset(good), frozenset(range(len(chance))) - faulty - good, chance)

    def reach(self, part: int) -> ExcludedFaults:
        """The faults that the tests of a part exclude; tests with a faulty part count neither as good nor as bad."""
        others = frozenset(self.hunt().likely) - {part}
        good = [
            (share, not others & reading.parts)
            for (group, share), reading in zip(self._shares, self._readings, strict=True)
            if part in group and reading.weight <= self._settings.hunt.unexplained
        ]
        shares = [share for share, _ in good]
        return reach(
            shares, sum(alone for _, alone in good), self.hunt().bad(part), self._noise, self._settings.confidence
        )

    def symptoms(self, part: int) -> tuple[float, float] | None:
        """(mean loss of its bad tests, share of bad tests), without those of other blamed parts; None without a bad test."""
        others = self.standing().faulty - {part}
        about = [
            (share, reading.weight > 0)
            for (group, share), reading in zip(self._shares, self._readings, strict=True)
            if part in group and not others & reading.parts
        ]
        losses = [1.0 - share for share, bad in about if bad]
        return (sum(losses) / len(losses), len(losses) / len(about)) if losses else None

    def ties(self) -> list[tuple[int, ...]]:
        """Parts that stay open together: some of each are faulty, and no further test was planned that could show which."""
        open_ = self.standing().open
        sets = {tuple(sorted(reading.parts & open_)) for reading in self.hunt().unexplained}
        return sorted(parts for parts in sets if len(parts) > 1)

    def _is_confirmed(self, part: int, good: set[int]) -> bool:
        """Whether bad tests with cleared partners blame a part.

        Where some fault shows at times, of this part or of any other, they must be pairs: each group of the part may have failed by another one, whose
        good tests cleared it.
        """
        bad = self._bad_tests(part)
        at_times = self.hunt().shows_at_times or len(bad) < self._belief.tests[part]
        bad = [test for test in bad if test.partners <= good and (test.is_pair or not at_times)]
        return blame.confirms(bad, self._noise, self._settings.small)

    def _bad_tests(self, part: int) -> list[BadTest]:
        return [
            BadTest(reading.parts - {part}, share)
            for (_, share), reading in zip(self._shares, self._readings, strict=True)
            if part in reading.parts and reading.weight > 0
        ]

    def slightly_slow(self) -> frozenset[int]:
        """Open parts that were bad in enough pairs to say that they lose less than a fault: no further pair says more."""
        standing = self.standing()
        return frozenset(
            part
            for part in standing.open.intersection(self.hunt().likely)
            if sum(test.partners <= standing.good and test.is_pair for test in self._bad_tests(part)) >= MOST_ALIKE
        )

    def _telling_groups(self, standing: SearchState) -> list[list[int]]:
        suspects = sorted(standing.open - self.left)
        open_ = [reading for reading in self._readings if not reading.parts & standing.faulty]  # others are explained
        faulty = scenarios.draw_scenarios(
            standing.probability, self._prior, open_, suspects,
            sets=self._settings.sets, sweeps=self._settings.sweeps, seed=self._seed + self._round,
        )  # fmt: skip
        columns = {part: column for column, part in enumerate(suspects)}
        chosen = groups.most_telling(faulty, suspects, self._settings.rules)
        likely = {part for part in suspects if faulty[:, columns[part]].mean() > rounds.LIKELY}
        wanting = [part for part in sorted(likely) if not self._will_be_confirmed(part, likely | standing.faulty)]
        chosen = rounds.complete(chosen, columns, faulty, wanting, self._settings.rules.largest)
        pairs = [reading.parts for reading in self._readings if len(reading.parts) == rounds.PAIR]
        chosen = rounds.with_partners(chosen or [[part] for part in sorted(likely)], self._partners(standing), pairs)
        times_tested = Counter(reading.parts for reading in self._readings)
        return [group for group in chosen if times_tested[frozenset(group)] < MOST_ALIKE]

    def _hunting_groups(self) -> list[list[int]]:
        """Tests that decide between explanations by faults that show at times."""
        self._hunts += 1
        if self._hunts > self._settings.hunt.rounds:
            return []
        standing = self.standing()
        decided = standing.faulty | self.slightly_slow()
        chosen = self.hunt().groups(decided, self.left, self._settings.rules.largest, self._seed + self._round)
        times = Counter(reading.parts for reading in self._readings)
        worn = [parts for parts, count in times.items() if count >= MOST_ALIKE]
        partners = self._partners(standing)
        ways = ((some, met) for met in (times, worn) for some in (chosen, chosen[:1]))
        chosen = next(filter(None, (rounds.with_partners(some, partners, met) for some, met in ways)), [])
        used = {part for group in chosen for part in group}
        spare = [part for part in partners if part in standing.good and part not in used][: rounds.PAIR]
        self._spare = spare if chosen and len(spare) == rounds.PAIR else []
        if self._doubtful or all(any(self.hunt().chance(part) > LIKELY for part in group) for group in chosen):
            self._control = self._spare  # otherwise a good test among the others says that there is no congestion
        return [*chosen, self._control] if self._control else chosen

    def _will_be_confirmed(self, part: int, faulty: set[int]) -> bool:
        """Whether clearing everything except `faulty` confirms the part, so that it needs no test of its own."""
        bad = [test for test in self._bad_tests(part) if not test.partners & faulty]
        return blame.confirms(bad, self._noise, self._settings.small)

    def _partners(self, standing: SearchState) -> list[int]:
        """Cleared parts with the best readings first, then parts with the lowest fault probability."""
        best = dict.fromkeys(
            part for part in reference.ranked(self._shares, self._noise.sigma) if part in standing.good
        )
        by_probability = np.argsort(standing.probability, kind="stable").tolist()
        return [*best, *(part for part in by_probability if part not in best and part not in self.left)]


def _columns(results: Readings) -> tuple[list[int], list[float]]:
    return [len(group) for group, _ in results], [share for _, share in results]


def groups_of(parts: int, settings: SearchSettings) -> int:
    """Number of groups of a screen: half of them are expected to fail at the prior share of faulty parts."""
    size: int = min(settings.rules.largest, max(2, round(log(2.0) / settings.prior)))
    return max(1, round(parts / size))
