"""Replaces tests that did not run, and decides when a node is given up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from rackwright.isolate.trial import Trial, TrialResult

PAIR = 2
LEAST_PARTNERS = 2
"""A node is given up after its tests with this many partners did not run."""


class Repeats:
    """Nodes that wait for a smaller test, and tests that wait until the blocking node is known."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Trial, tuple[int, ...]]] = []
        self._failed: list[Trial] = []
        self._smaller: set[Trial] = set()
        self._ran: set[int] = set()
        self._silent: dict[int, set[int]] = defaultdict(set)
        self.left: set[int] = set()
        """Nodes that are given up."""

    @property
    def ran(self) -> frozenset[int]:
        """Nodes with at least one test that ran."""
        return frozenset(self._ran)

    def take(self, result: TrialResult) -> None:
        """Add one result."""
        trial, nodes = result.trial, result.trial.nodes
        if result.ran:
            self._ran.update(nodes)
            return
        if len(nodes) == PAIR:
            self._pair(trial)
            return
        if trial not in self._smaller:
            self._failed.append(trial)
        half = (len(nodes) + 1) // 2
        waiting = {node for _, some in self._waiting for node in some}
        self._waiting += [(trial, some) for some in (nodes[:half], nodes[half:]) if not waiting.issuperset(some)]

    def _pair(self, trial: Trial) -> None:
        for node, partner in (trial.nodes, trial.nodes[::-1]):
            self._silent[node].add(partner)
            if len(self._silent[node] - self.left) >= LEAST_PARTNERS:
                self.left.add(node)
            elif node not in self._ran:
                self._waiting.append((trial, (node,)))

    def tests(self, partners: Sequence[int]) -> list[Trial]:
        """Tests that can run now, without a common node: smaller tests first, then tests that did not run, without nodes that are given up."""
        return self._halves(partners) or self._again()

    def _again(self) -> list[Trial]:
        """Tests that did not run, each once; if one fails twice, it counts as untested."""
        trials: list[Trial] = []
        waiting: list[Trial] = []
        for trial in self._failed:
            nodes = tuple(node for node in trial.nodes if node not in self.left)
            if {node for chosen in trials for node in chosen.nodes} & set(nodes):
                waiting.append(trial)
            elif len(nodes) >= PAIR:
                trials.append(replace(trial, nodes=nodes))
        self._failed = waiting
        self._smaller.update(trials)
        return trials

    def _halves(self, partners: Sequence[int]) -> list[Trial]:
        trials: list[Trial] = []
        busy: set[int] = set()
        postponed: list[tuple[Trial, tuple[int, ...]]] = []
        waiting = list(dict.fromkeys(self._waiting))
        alone = {nodes[0] for _, nodes in waiting if len(nodes) == 1}
        for trial, nodes in waiting:
            present = tuple(node for node in nodes if node not in self.left)
            if len(present) == 1 and present[0] not in self._ran:
                present += self._partner(present[0], partners, busy | alone)
            if len(present) < PAIR:
                postponed += [(trial, nodes)] if present and present[0] not in self._ran else []
            elif busy & set(present):
                postponed.append((trial, nodes))
            else:
                busy.update(present)
                trials.append(replace(trial, nodes=present))
        self._waiting = postponed if trials else []
        self._smaller.update(trials)
        return trials

    def _partner(self, node: int, partners: Sequence[int], busy: Collection[int]) -> tuple[int, ...]:
        """Partners that ran before come first: with a partner that never ran, nothing is learnt about the node."""
        free = [
            partner
            for partner in partners
            if partner != node and partner not in busy and partner not in self._silent[node]
        ]
        free.sort(key=lambda partner: partner not in self._ran)
        return tuple(free[:1])
