"""Asks explanations of the readings: what is shared, what of a faulty node it is, and what explains the rest.

In: readings so far. Out: `Fits`. Pure; nothing is kept but what each reading depends on. After the search among nodes the question falls apart:
each faulty node is explained on its own, from tests in which it was the only faulty one, and readings without a faulty node are one further
question. Cut here because sets over everything at once would be as many as the products of all of these.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rackwright.isolate import exercise
from rackwright.isolate.atoms import Atoms
from rackwright.isolate.fits import Fits, Seen, fits
from rackwright.isolate.settings import Wired
from rackwright.isolate.trial import OVERALL, Told
from rackwright.isolate.wiring import NONE

LIKELY = 0.5
PARTS_OF_A_NODE = 3
"""Most parts of one node that are thought faulty at the same time; beyond it is the node."""
SHOWN = 2
"""Bad tests of different nodes that it takes to blame a part."""
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
        """Parts that nodes share and that are more probably faulty than not; none once readings are explained by `faulty` nodes."""
        found = self.rest(faulty) if faulty else self.everything()
        return {
            group: share
            for group, share in found.groups().items()
            if share > LIKELY and all(self._atoms.owner(one) == NONE and self._atoms.kind(one) != "pair" for one in group)
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
                for slot, one in channels.items()
                if slot not in self.masked(told, masked)
            ]
            atoms = self._atoms
            rails = (atoms.rail(node, slot) for slot in range(len(atoms.wiring.rails[node])))
            found[node] = fits(seen, self._chance, {node, atoms.inside(node), *rails}, PARTS_OF_A_NODE)
        return found

    def rest(self, faulty: Collection[int]) -> Fits:
        """What explains the readings of tests without a faulty node."""
        out = set(faulty)
        seen = [
            one for told, channels in self._read() if not out & set(told.trial.nodes) for one in channels.values()
        ]
        return fits(seen, self._chance)

    def settled(self, found: Fits) -> bool:
        """Whether the best explanation is sure, and each of its parts shown by tests of different nodes."""
        best = found.ranked[0]
        return best.probability >= self._known.sure and all(self.shown(group) for group in best.parts)

    def shown(self, group: Group) -> bool:
        """Bad readings of two tests without a common node besides what the part itself is about; a pair: two bad tests."""
        one = group[0]
        kind, owner = self._atoms.kind(one), self._atoms.owner(one)
        own = set(self._atoms.ends(one)) if kind == "pair" else {owner}
        bad = [
            set(told.trial.nodes) - own
            for told, channels in self._read()
            if any(seen.weight > 0 and one in seen.parts for seen in channels.values())
        ]
        if kind == "pair":
            return len(bad) >= SHOWN
        return any(not (a & b) for index, a in enumerate(bad) for b in bad[index + 1 :])

    def masked(self, told: Told, masked: Collection[int]) -> frozenset[int]:
        """The readings of a test that depend on any of `masked`."""
        if not masked or told.share is None:
            return frozenset()
        self._read()
        channels = self._of[id(told)]
        return frozenset(slot for slot, seen in channels.items() if any(one in masked for one in seen.parts.tolist()))

    def _read(self) -> list[tuple[Told, dict[int, Seen]]]:
        """What each test says; read once."""
        for told in self._told[len(self._seen) :]:
            shares = {OVERALL: told.share, **told.rails}
            found = {}
            for slot, parts in exercise.told(self._atoms, told).items():
                good, bad = self._known.search.noise.evidence(float(shares[slot] or 0.0))
                found[slot] = Seen(parts, bad - good)
            self._seen.append((told, found))
            self._of[id(told)] = found
        return self._seen

    def _chance(self, atom: int) -> float:
        share = self._known.chance[self._atoms.kind(atom)]
        return share * self._atoms.members(atom)
