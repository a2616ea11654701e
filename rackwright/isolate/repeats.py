"""Tests that did not run: what is asked in their place, and when a node is given up. A test that did not run says nothing of any part, but one node may keep all
others from being tested: groups are halved until what runs is known, and a node whose tests with several partners never ran is left, as untested.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from rackwright.isolate.trial import Told, Trial

PAIR = 2
LEAST_PARTNERS = 2
"""A node is given up after its tests with so many partners did not run."""


class Repeats:
    """Nodes that wait for a smaller test, and tests that wait until it is known who keeps them from running."""

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
        """Nodes of which some test ran."""
        return frozenset(self._ran)

    def take(self, told: Told) -> None:
        """Note one outcome."""
        trial, nodes = told.trial, told.trial.nodes
        if told.ran:
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
        for node, other in (trial.nodes, trial.nodes[::-1]):
            self._silent[node].add(other)
            if len(self._silent[node] - self.left) >= LEAST_PARTNERS:
                self.left.add(node)
            elif node not in self._ran:
                self._waiting.append((trial, (node,)))

    def tests(self, partners: Sequence[int]) -> list[Trial]:
        """What can be asked now, without a common node: smaller tests first, then again what did not run, without who is given up."""
        return self._halves(partners) or self._again()

    def _again(self) -> list[Trial]:
        """Each once: what fails twice is part of what is left untested."""
        found: list[Trial] = []
        kept: list[Trial] = []
        for trial in self._failed:
            nodes = tuple(node for node in trial.nodes if node not in self.left)
            if {node for one in found for node in one.nodes} & set(nodes):
                kept.append(trial)
            elif len(nodes) >= PAIR:
                found.append(replace(trial, nodes=nodes))
        self._failed = kept
        self._smaller.update(found)
        return found

    def _halves(self, partners: Sequence[int]) -> list[Trial]:
        found: list[Trial] = []
        busy: set[int] = set()
        kept: list[tuple[Trial, tuple[int, ...]]] = []
        waiting = list(dict.fromkeys(self._waiting))
        alone = {nodes[0] for _, nodes in waiting if len(nodes) == 1}
        for trial, nodes in waiting:
            wanted = tuple(node for node in nodes if node not in self.left)
            if len(wanted) == 1 and wanted[0] not in self._ran:
                wanted += self._partner(wanted[0], partners, busy | alone)
            if len(wanted) < PAIR:
                kept += [(trial, nodes)] if wanted and wanted[0] not in self._ran else []
            elif busy & set(wanted):
                kept.append((trial, nodes))
            else:
                busy.update(wanted)
                found.append(replace(trial, nodes=wanted))
        self._waiting = kept if found else []
        self._smaller.update(found)
        return found

    def _partner(self, node: int, partners: Sequence[int], busy: Collection[int]) -> tuple[int, ...]:
        """Whoever ran before comes first: with a partner that never ran nothing is learnt of the node."""
        free = [one for one in partners if one != node and one not in busy and one not in self._silent[node]]
        free.sort(key=lambda one: one not in self._ran)
        return tuple(free[:1])
