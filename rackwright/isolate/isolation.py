"""The isolation of faulty parts of a wiring, round by round: screens, then parts that nodes share, then nodes, then the part within each faulty node.

It runs nothing itself. Shared parts (switches, cables between them, NVLink planes) come first, because one faulty switch makes many nodes look faulty; readings that a shared fault explains are left out of the search among nodes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from rackwright.isolate import discriminating_tests, reference
from rackwright.isolate.clearance import ExcludedFaults
from rackwright.isolate.common_loss import FleetLevel
from rackwright.isolate.coverage import Screens
from rackwright.isolate.evidence import of_nodes
from rackwright.isolate.exercise import channels
from rackwright.isolate.hypotheses import Explanations
from rackwright.isolate.inference import Group, Inference
from rackwright.isolate.parts import PartIds
from rackwright.isolate.repeats import Repeats
from rackwright.isolate.search import Search
from rackwright.isolate.search_state import SearchState
from rackwright.isolate.settings import IsolationSettings
from rackwright.isolate.trial import OVERALL, Trial, TrialResult

DEAD = 3
"""Rounds in a row, after the screens, in which no test ran.

The launcher does not work, so further rounds would yield nothing.
"""


class Isolation:
    """One isolation over one wiring."""

    def __init__(self, atoms: PartIds, settings: IsolationSettings, screens: Screens, *, seed: int = 0) -> None:
        self.atoms, self.known, self.screens = atoms, settings, screens
        self.common = FleetLevel(settings.search.noise, settings.search.common)
        self.told: list[TrialResult] = []
        """Readings corrected for the loss that all nodes have in common."""
        self.history: list[list[TrialResult]] = []
        """Results of every round, as measured."""
        self.repeats = Repeats()
        self.rounds = 0
        self.done = False
        self.inference = Inference(atoms, settings, self.told)
        self._seed, self._dead = seed, 0
        self._asked: Counter[Trial] = Counter()
        self._masked: frozenset[int] = frozenset()
        self._search = self._fresh()

    def next_round(self) -> list[Trial]:
        """Tests without a common node; empty when the isolation is complete."""
        trials = self._screening() or self._adaptive()
        self.done = not trials
        return trials

    def _screening(self) -> list[Trial]:
        """Remaining tests of the first incomplete screen; a test that is part of two screens runs twice."""
        planned: Counter[Trial] = Counter()
        for round_ in self.screens.rounds:
            planned.update(round_)
            if remaining := [trial for trial in round_ if self._asked[trial] < planned[trial]]:
                return remaining
        return []

    def take(self, results: Sequence[TrialResult]) -> None:
        """Add the results of one round."""
        ran = any(result.ran for result in results)
        self.rounds += 1
        self._asked.update(result.trial for result in results)
        self._dead = 0 if ran else self._dead + (self.rounds > len(self.screens.rounds))
        self.history.append(list(results))
        if self._tests_all(results):
            self.common.learn(results)
        self._adapt()
        for outcome in self._level(results):
            self.told.append(outcome)
            self.repeats.take(outcome)
            self._feed(outcome)
        self._search.left |= self.repeats.left

    def _level(self, results: Sequence[TrialResult]) -> list[TrialResult]:
        return self.common.level(results, tests_all=self._tests_all(results))

    def _tests_all(self, results: Sequence[TrialResult]) -> bool:
        """Whether a round tests all nodes."""
        return len({node for result in results for node in result.trial.nodes}) >= self.atoms.count

    def _adapt(self) -> None:
        """Evaluate all results again when the fleet turns out to be slower than expected, because smaller losses are
        then no sign of a fault.
        """
        noise = self.common.noise()
        if noise != self.known.search.noise:
            self.known = replace(self.known, search=replace(self.known.search, noise=noise))
            self.told[:] = [result for round_ in self.history[:-1] for result in self._level(round_)]
            self.inference = Inference(self.atoms, self.known, self.told)
            self._search = self._fresh()

    def standing(self) -> SearchState:
        """The state of every node after the results so far."""
        return self._search.standing()

    def reach(self, node: int) -> ExcludedFaults:
        """The faults that the tests of a node exclude."""
        return self._search.reach(node)

    def symptoms(self, node: int) -> tuple[float, float] | None:
        """(mean loss of its bad tests, share of its tests that were bad), from tests without another faulty node; None
        without a bad test.
        """
        return self._search.symptoms(node)

    def ties(self) -> list[tuple[int, ...]]:
        """Groups of nodes that stay open together: some of each are faulty, and no remaining test can show which."""
        return self._search.ties() if self.done else []

    def suspects(self) -> frozenset[int]:
        """Open nodes of bad tests that nothing explains yet."""
        return self._search.hunt().doubted

    def slightly_slow(self) -> dict[int, float]:
        """Open nodes that lose less than a fault -> the mean loss of their bad tests."""
        losses = {node: self.symptoms(node) for node in self._search.slightly_slow()}
        return {node: about[0] for node, about in losses.items() if about}

    def explained(self) -> tuple[dict[int, Explanations], Explanations]:
        """Faulty node -> its explanations, and the explanations of bad readings without a faulty node."""
        faulty = self._search.standing().faulty
        return self.inference.of_nodes(faulty, self._masked), self.inference.without_faulty_node(faulty)

    def partners(self) -> list[int]:
        """Nodes to test others with, best first: cleared nodes in order of their readings, then nodes with the lowest
        fault probability.
        """
        standing = self._search.standing()
        order = [node for node in self.references() if node in standing.good]
        remaining = sorted(range(self.atoms.count), key=lambda node: (float(standing.probability[node]), node))
        return [*order, *(node for node in remaining if node not in set(order) and node not in self.repeats.left)]

    def references(self) -> list[int]:
        """Nodes with at least two readings, the highest and steadiest first."""
        read = [(result.trial.nodes, min(result.readings.values())) for result in self.told if result.ran]
        return reference.ranked(read, self.known.search.noise.sigma)

    def _adaptive(self) -> list[Trial]:
        if self._dead >= DEAD:
            return []
        partners = self.partners()
        trials = self.repeats.tests(partners)
        shared = self._shared()
        trials += self._telling_shared(partners, trials) if shared else []
        masked = self.inference.accepted(shared)
        if masked != self._masked:
            self._masked = masked
            self._search = self._fresh()
            partners = self.partners()
        return trials or self._among_nodes() or self._telling_what(partners)

    def _shared(self) -> dict[Group, float]:
        """Shared parts that are more probably faulty than not.

        A faulty switch or cable spoils only some tests of a node, like a fault that shows at times. So no node counts
        as faulty at times while a shared part explains the same tests; a pair is no such part, because it explains any
        bad test of its nodes.
        """
        faulty = self._search.standing().faulty
        at_times = {node for node in faulty if (about := self.symptoms(node)) and about[1] < 1.0}
        shared = self.inference.shared(faulty)
        instead = self.inference.shared(faulty - at_times) if at_times else {}
        return shared | {group: share for group, share in instead.items() if self.atoms.kind(group[0]) != "pair"}

    def _among_nodes(self) -> list[Trial]:
        """The next tests of the search among nodes, which avoid everything that is faulty and shared."""
        return [trial for group in self._search.next_round() for trial in self._around(Trial(tuple(group)))]

    def _around(self, trial: Trial) -> list[Trial]:
        """The test on rails that avoid shared faults; if every rail meets one, tests of the nodes behind the same
        switches.
        """
        trial = replace(trial, nodes=self._apart(trial.nodes))
        clean = self._clean(trial)
        if clean is not None:
            return [clean]
        near: dict[bytes, list[int]] = defaultdict(list)
        for node in trial.nodes:
            near[self.atoms.wiring.leaf[node].tobytes()].append(node)
        parts = [self._clean(replace(trial, nodes=tuple(nodes))) for nodes in near.values() if len(nodes) > 1]
        return [part for part in parts if part is not None]

    def _apart(self, nodes: tuple[int, ...]) -> tuple[int, ...]:
        """The nodes without one end of each faulty pair among them; that end is tested in a later round."""
        pairs = (self.atoms.ends(atom) for atom in sorted(self._masked) if self.atoms.kind(atom) == "pair")
        out = {far for near, far in pairs if near in nodes and far in nodes}
        remaining = tuple(node for node in nodes if node not in out)
        return remaining if len(remaining) > 1 else nodes

    def _clean(self, trial: Trial) -> Trial | None:
        """The test on its clean rails; None if no rail is clean."""
        depends = channels(self.atoms, trial)
        clean = [slot for slot in sorted(depends.keys() - {OVERALL}) if not self._masked & set(depends[slot].tolist())]
        if len(clean) == len(depends) - 1:
            return trial
        return replace(trial, rails=tuple(clean)) if clean else None

    def _telling_shared(self, partners: list[int], chosen: list[Trial]) -> list[Trial]:
        fits = self.inference.everything()
        if self.inference.settled(fits):
            return []
        return self._tests(fits, partners, chosen)

    def _telling_what(self, partners: list[int]) -> list[Trial]:
        """Tests that show which part of each faulty node is faulty, and what explains other bad readings."""
        faulty = self._search.standing().faulty
        chosen: list[Trial] = []
        of_nodes, shared_explanations = self.explained()
        for fits in (*of_nodes.values(), shared_explanations):
            if not self.inference.settled(fits):
                chosen += self._tests(fits, [partner for partner in partners if partner not in faulty], chosen)
        return chosen

    def _tests(self, fits: Explanations, partners: list[int], chosen: list[Trial]) -> list[Trial]:
        busy = {node for trial in chosen for node in trial.nodes} | self.repeats.left
        return discriminating_tests.choose_tests(
            self.atoms, fits, self.told, partners, lambda ready: self._asked[ready] < self.known.tries,
            busy=busy, showing=self.inference.confirming_tests(fits),
        )  # fmt: skip

    def _fresh(self) -> Search:
        search = Search(self.atoms.count, self.known.search, seed=self._seed, screens=False)
        search.left |= self.repeats.left
        self._search = search
        for result in self.told:
            self._feed(result)
        return search

    def _feed(self, result: TrialResult) -> None:
        """Pass one result to the search among nodes, unless a shared fault explains it."""
        if not result.ran or self.inference.spoiled(result, self._masked):
            return
        slots = self.atoms.wiring.slots
        evidence = of_nodes(result, self.known.search.noise, self.known.chance, slots)
        self._search.take(result.trial.nodes, min(result.readings.values()), evidence)
