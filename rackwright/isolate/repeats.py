"""Tests that did not run: what is asked in their place, and when a node is given up.

In: tests without a reading. Out: smaller tests of the same nodes. Pure. A test that did not run says nothing of any part, but one node may keep all
others from being tested: groups are halved until what runs is known, and a node whose tests with several partners never ran is left, as untested.
Cut here because "did not run" is an outcome of its own and must never become good or bad.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from rackwright.isolate.trial import Told, Trial

PAIR = 2
LEAST_PARTNERS = 2
"""A node is given up after its tests with so many partners did not run."""


class Repeats:
    """Nodes that wait for a test, in groups."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Trial, tuple[int, ...]]] = []
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
        nodes = told.trial.nodes
        if told.share is not None:
            self._ran.update(nodes)
            return
        if len(nodes) > PAIR:
            half = (len(nodes) + 1) // 2
            self._waiting += [(told.trial, nodes[:half]), (told.trial, nodes[half:])]
            return
        for node, other in (nodes, nodes[::-1]):
            self._silent[node].add(other)
            if len(self._silent[node] - self.left) >= LEAST_PARTNERS:
                self.left.add(node)
            elif node not in self._ran:
                self._waiting.append((told.trial, (node,)))

    def tests(self, partners: Sequence[int]) -> list[Trial]:
        """What can be asked again now, without a common node; `partners` are best first."""
        found: list[Trial] = []
        busy: set[int] = set()
        kept: list[tuple[Trial, tuple[int, ...]]] = []
        waiting = list(dict.fromkeys(self._waiting))
        alone = {nodes[0] for _, nodes in waiting if len(nodes) == 1}
        for trial, nodes in waiting:
            wanted = tuple(node for node in nodes if node not in self.left)
            if len(wanted) == 1 and (len(nodes) == 1 or wanted[0] not in self._ran):
                wanted += self._partner(wanted[0], partners, busy | alone)
            if len(wanted) < PAIR:
                kept += [(trial, nodes)] if wanted and wanted[0] not in self._ran else []
            elif busy & set(wanted):
                kept.append((trial, nodes))
            else:
                busy.update(wanted)
                found.append(Trial(wanted, trial.over, trial.rails, trial.shift))
        self._waiting = kept if found else []
        return found

    def _partner(self, node: int, partners: Sequence[int], busy: Collection[int]) -> tuple[int, ...]:
        """Whoever ran before comes first: with a partner that never ran nothing is learnt of the node."""
        free = [one for one in partners if one != node and one not in busy and one not in self._silent[node]]
        free.sort(key=lambda one: one not in self._ran)
        return tuple(free[:1])
