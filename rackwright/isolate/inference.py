"""Asks explanations of the readings: what is shared, what of a faulty node it is, and what explains the rest.

Pure; nothing is kept but what each reading depends on. After the search among nodes the question falls apart:
each faulty node is explained on its own, from tests in which it was the only faulty one, and readings without a faulty node are one further
question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

import numpy as np

from rackwright.isolate import exercise
from rackwright.isolate.hypotheses import Fits, Seen, fits
from rackwright.isolate.parts import Atoms
from rackwright.isolate.settings import Wired
from rackwright.isolate.trial import Told, Trial
from rackwright.isolate.wiring import NONE

LIKELY = 0.5
PARTS_OF_A_NODE = 3
"""Most parts of one node that are thought faulty at the same time; beyond it is the node."""
SHOWN = 2
"""Bad tests of different nodes that it takes to blame a part."""
HIDDEN = 1.5
"""A part whose probability grew by less than this factor is not spoken against by any reading."""
Group = tuple[int, ...]


class Inference:
    """Explanations over `told`, which grows."""

    def __init__(self, atoms: Atoms, known: Wired, told: Sequence[Told]) -> None:
        self._atoms, self._known, self._told = atoms, known, told
        self._seen: list[tuple[Told, dict[int, Seen]]] = []
        self._of: dict[int, dict[int, Seen]] = {}
        self._all: tuple[int, Fits] | None = None

    def everything(self) -> Fits:
        """All readings, explained by parts of any kind."""
        seen = [one for _, channels in self._read() for one in channels.values()]
        if self._all is None or self._all[0] != len(seen):
            self._all = (len(seen), fits(seen, self._chance))
        return self._all[1]

    def shared(self, faulty: Collection[int]) -> dict[Group, float]:
        """Parts that nodes share, and pairs, that are more probably faulty than not; read beside the tests of `faulty` nodes."""
        found = self.rest(faulty) if faulty else self.everything()
        return {
            group: share
            for group, share in found.groups().items()
            if share > LIKELY and all(self._atoms.owner(one) == NONE for one in group)
        }

    def accepted(self, shared: dict[Group, float]) -> frozenset[int]:
        """Parts of `shared` whose readings say nothing of nodes."""
        return frozenset(one for group in shared for one in group)

    def of_nodes(self, faulty: Collection[int], masked: Collection[int] = ()) -> dict[int, Fits]:
        """Per faulty node what of it is faulty, from tests that had no other faulty node."""
        found = {}
        for node in sorted(faulty):
            seen = [
                one
                for told, channels in self._read()
                if node in told.trial.nodes and not (set(told.trial.nodes) & set(faulty)) - {node}
                for one in channels.values()
                if not _about(one, masked)
            ]
            atoms = self._atoms
            rails = (atoms.rail(node, slot) for slot in range(len(atoms.wiring.rails[node])))
            found[node] = fits(seen, self._chance, {node, atoms.inside(node), *rails}, PARTS_OF_A_NODE)
        return found

    def rest(self, faulty: Collection[int]) -> Fits:
        """What explains the readings of tests without a faulty node."""
        out = set(faulty)
        seen = [one for told, channels in self._read() if not out & set(told.trial.nodes) for one in channels.values()]
        return fits(seen, self._chance)

    def settled(self, found: Fits) -> bool:
        """Whether every part is either sure and shown, or no more probable than before any test (it stands behind a faulty one)."""
        return self.decided(found) and not self.unshown(found)

    def decided(self, found: Fits) -> bool:
        """Whether no part is in between, and none that is faulty is one of several."""
        groups = found.groups()
        return all(
            (share >= self._known.sure and len(group) == 1) or (share < self._known.sure and self.hidden(found, group))
            for group, share in groups.items()
        )

    def hidden(self, found: Fits, group: Group) -> bool:
        """Whether no reading speaks against a part: it is out of the question, or stands behind a faulty one."""
        return found.chance(group) <= max(1.0 - self._known.sure, HIDDEN * found.before.get(group, 0.0))

    def unshown(self, found: Fits) -> list[Group]:
        """Parts of the best explanation that one test alone speaks against."""
        return [group for group in found.ranked[0].parts if not self.shown(group)]

    def shown(self, group: Group) -> bool:
        """Bad readings of two tests without a common node besides what the part itself is about; a pair: two bad tests."""
        bad = self._bad(group)
        if self._atoms.kind(group[0]) == "pair":
            return len(bad) >= SHOWN
        return any(not (a & b) for index, a in enumerate(bad) for b in bad[index + 1 :])

    def showing(self, found: Fits) -> list[Callable[[Trial], bool]]:
        """Per part of `unshown`: which tests would show it if they were bad as well.

        Of two nodes none can, because each is always with the other: then nothing is asked over and over.
        """
        return [partial(self._shows, group, self._bad(group)) for group in self.unshown(found)]

    def _shows(self, group: Group, bad: Sequence[set[int]], trial: Trial) -> bool:
        if not any(group[0] in parts for parts in exercise.channels(self._atoms, trial).values()):
            return False
        others = set(trial.nodes) - self._own(group)
        return self._atoms.kind(group[0]) == "pair" or any(not (others & one) for one in bad)

    def _bad(self, group: Group) -> list[set[int]]:
        """Of each bad test of a part the nodes besides its own."""
        return [
            set(told.trial.nodes) - self._own(group)
            for told, channels in self._read()
            if any(seen.weight > 0 and group[0] in seen.parts for seen in channels.values())
        ]

    def _own(self, group: Group) -> set[int]:
        """The nodes that a part is about."""
        pair = self._atoms.kind(group[0]) == "pair"
        return set(self._atoms.ends(group[0])) if pair else {self._atoms.owner(group[0])}

    def spoiled(self, told: Told, masked: Collection[int]) -> bool:
        """Whether a test as a whole depends on any of `masked`: then it says nothing of nodes."""
        if not masked or not told.ran:
            return False
        self._read()
        return any(_about(seen, masked) for seen in self._of[id(told)].values())

    def good(self) -> frozenset[int]:
        """Parts that stand in some good reading."""
        return frozenset(
            one
            for _, channels in self._read()
            for seen in channels.values()
            if seen.weight < 0
            for one in seen.parts.tolist()
        )

    def _read(self) -> list[tuple[Told, dict[int, Seen]]]:
        """What each test says; read once."""
        for told in self._told[len(self._seen) :]:
            found = {}
            for slot, parts in exercise.told(self._atoms, told).items():
                good, bad = self._known.search.noise.evidence(told.readings[slot])
                found[slot] = Seen(parts, bad - good)
            self._seen.append((told, found))
            self._of[id(told)] = found
        return self._seen

    def _chance(self, atom: int) -> float:
        share = self._known.chance[self._atoms.kind(atom)]
        return share * self._atoms.members(atom)


def _about(seen: Seen, parts: Collection[int]) -> bool:
    return bool(parts) and bool(np.isin(seen.parts, np.array(sorted(parts), np.int64)).any())
