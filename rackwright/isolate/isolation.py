"""The isolation of faulty parts of a wiring, round by round: screens, then what nodes share, then nodes, then what of them.

Pure: it runs nothing. What is
shared (switches, cables between them, NVLink planes) is asked first, because one switch makes many nodes look faulty; its readings are left out
of the search among nodes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from rackwright.isolate import discriminating_tests, reference
from rackwright.isolate.coverage import Screens
from rackwright.isolate.evidence import of_nodes
from rackwright.isolate.exercise import channels
from rackwright.isolate.hypotheses import Fits
from rackwright.isolate.inference import Inference
from rackwright.isolate.parts import Atoms
from rackwright.isolate.repeats import Repeats
from rackwright.isolate.search import Search, Standing
from rackwright.isolate.settings import Wired
from rackwright.isolate.trial import OVERALL, Told, Trial

DEAD = 3
"""Rounds in a row, after the screens, of which no test ran: whatever runs them does not work, and asking on says nothing."""


class Isolation:
    """One isolation over one wiring."""

    def __init__(self, atoms: Atoms, known: Wired, screens: Screens, *, seed: int = 0) -> None:
        self.atoms, self.known, self.screens = atoms, known, screens
        self.told: list[Told] = []
        self.history: list[list[Told]] = []
        """What came of every round."""
        self.repeats = Repeats()
        self.rounds = 0
        self.done = False
        self.inference = Inference(atoms, known, self.told)
        self._seed, self._dead = seed, 0
        self._asked: Counter[Trial] = Counter()
        self._masked: frozenset[int] = frozenset()
        self._search = self._fresh()

    def next_round(self) -> list[Trial]:
        """Tests without a common node; none when nothing more would be asked."""
        found = self._screening() or self._adaptive()
        self.done = not found
        return found

    def _screening(self) -> list[Trial]:
        """What was not asked yet of the first screen that is not through; a test that stands in two screens is asked twice."""
        wanted: Counter[Trial] = Counter()
        for round_ in self.screens.rounds:
            wanted.update(round_)
            if left := [trial for trial in round_ if self._asked[trial] < wanted[trial]]:
                return left
        return []

    def take(self, told: Sequence[Told]) -> None:
        """What came of one round."""
        ran = any(one.ran for one in told)
        self.rounds += 1
        self._asked.update(one.trial for one in told)
        self._dead = 0 if ran else self._dead + (self.rounds > len(self.screens.rounds))
        self.history.append(list(told))
        for one in told:
            self.told.append(one)
            self.repeats.take(one)
            self._feed(one)
        self._search.left |= self.repeats.left

    def standing(self) -> Standing:
        """What is known of nodes."""
        return self._search.standing()

    def explained(self) -> tuple[dict[int, Fits], Fits]:
        """What of each faulty node it is, and what explains bad readings without a faulty node."""
        faulty = self._search.standing().faulty
        return self.inference.of_nodes(faulty, self._masked), self.inference.rest(faulty)

    def partners(self) -> list[int]:
        """Nodes to test others with, the best first: cleared ones by their readings, then whatever is least in question."""
        standing = self._search.standing()
        order = [node for node in self.references() if node in standing.good]
        rest = sorted(range(self.atoms.count), key=lambda node: (float(standing.probability[node]), node))
        return [*order, *(one for one in rest if one not in set(order) and one not in self.repeats.left)]

    def references(self) -> list[int]:
        """Nodes with two readings or more, the best and steadiest first."""
        read = [(one.trial.nodes, min(one.readings.values())) for one in self.told if one.ran]
        return reference.ranked(read, self.known.search.noise.sigma)

    def _adaptive(self) -> list[Trial]:
        if self._dead >= DEAD:
            return []
        partners = self.partners()
        found = self.repeats.tests(partners)
        shared = self.inference.shared(self._search.standing().faulty)
        found += self._telling_shared(partners, found) if shared else []
        masked = self.inference.accepted(shared)
        if masked != self._masked:
            self._masked = masked
            self._search = self._fresh()
            partners = self.partners()
        return found or self._among_nodes() or self._telling_what(partners)

    def _among_nodes(self) -> list[Trial]:
        """The next tests of the search among nodes, around everything that is faulty and shared."""
        return [trial for group in self._search.next_round() for trial in self._around(Trial(tuple(group)))]

    def _around(self, trial: Trial) -> list[Trial]:
        """On the rails that do not meet it; where every rail does, the nodes behind the same switches on their own."""
        trial = replace(trial, nodes=self._apart(trial.nodes))
        found = self._clean(trial)
        if found is not None:
            return [found]
        near: dict[bytes, list[int]] = defaultdict(list)
        for node in trial.nodes:
            near[self.atoms.wiring.leaf[node].tobytes()].append(node)
        parts = [self._clean(replace(trial, nodes=tuple(nodes))) for nodes in near.values() if len(nodes) > 1]
        return [one for one in parts if one is not None]

    def _apart(self, nodes: tuple[int, ...]) -> tuple[int, ...]:
        """Without one end of every faulty pair that stands in the group; it is asked in a later round."""
        pairs = (self.atoms.ends(one) for one in sorted(self._masked) if self.atoms.kind(one) == "pair")
        out = {far for near, far in pairs if near in nodes and far in nodes}
        left = tuple(node for node in nodes if node not in out)
        return left if len(left) > 1 else nodes

    def _clean(self, trial: Trial) -> Trial | None:
        """None where no rail is clean."""
        depends = channels(self.atoms, trial)
        clean = [slot for slot in sorted(depends.keys() - {OVERALL}) if not self._masked & set(depends[slot].tolist())]
        if len(clean) == len(depends) - 1:
            return trial
        return replace(trial, rails=tuple(clean)) if clean else None

    def _telling_shared(self, partners: list[int], taken: list[Trial]) -> list[Trial]:
        fits = self.inference.everything()
        if self.inference.settled(fits):
            return []
        return self._tests(fits, partners, taken)

    def _telling_what(self, partners: list[int]) -> list[Trial]:
        """Nodes are decided: what of each faulty one it is, and what explains bad readings without one."""
        faulty = self._search.standing().faulty
        taken: list[Trial] = []
        of_nodes, rest = self.explained()
        for fits in (*of_nodes.values(), rest):
            if not self.inference.settled(fits):
                taken += self._tests(fits, [one for one in partners if one not in faulty], taken)
        return taken

    def _tests(self, fits: Fits, partners: list[int], taken: list[Trial]) -> list[Trial]:
        busy = {node for trial in taken for node in trial.nodes} | self.repeats.left
        return discriminating_tests.tests(
            self.atoms, fits, self.told, partners, lambda one: self._asked[one] < self.known.tries,
            busy=busy, showing=self.inference.showing(fits),
        )  # fmt: skip

    def _fresh(self) -> Search:
        search = Search(self.atoms.count, self.known.search, seed=self._seed, screens=False)
        search.left |= self.repeats.left
        self._search = search
        for one in self.told:
            self._feed(one)
        return search

    def _feed(self, one: Told) -> None:
        """Tell the search among nodes what a test says of them, less what is explained by parts that they share."""
        if not one.ran or self.inference.spoiled(one, self._masked):
            return
        slots = self.atoms.wiring.slots
        found = of_nodes(one, self.known.search.noise, self.known.chance, slots)
        self._search.take(one.trial.nodes, min(one.readings.values()), found)
