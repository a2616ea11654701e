"""What the cables between switches leave of each flow of a round, when every rail sends at its full rate at the same time. Where leaves have fewer cables upwards than downwards, flows from
rail to rail share them, and a healthy fabric carries a part of each. As the proof of coverage has it, one flow fills one cable in one direction.
Flows between rails that nothing joins are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from rackwright.isolate.parts import Atoms
from rackwright.isolate.trial import Trial
from rackwright.isolate.wiring import NONE


class Flow(NamedTuple):
    """One rail of one node sends to one rail of another."""

    sender: int
    slot: int
    receiver: int
    other: int
    """Slot of the receiver."""


def flows(atoms: Atoms, trial: Trial) -> list[Flow]:
    """All flows of a test over the fabric, by slot of the sender, around the ring."""
    slots, leaf = atoms.wiring.slots, atoms.wiring.leaf
    found = []
    for slot in trial.rails or range(slots):
        other = (slot + trial.shift) % slots
        for a, b in trial.hops:
            near, far = int(leaf[a, slot]), int(leaf[b, other])
            if NONE not in (near, far) and atoms.paths.between(near, far) is not None:
                found.append(Flow(a, slot, b, other))
    return found


def room(atoms: Atoms, round_: Sequence[Trial]) -> dict[Flow, float]:
    """By flow of all tests of a round: the share of its rate that the fullest bundle of cables on its way leaves."""
    every = [flow for trial in round_ for flow in flows(atoms, trial)]
    asked = Counter(way for flow in every for way, _ in _ways(atoms, flow))
    return {flow: min((min(1.0, many / asked[way]) for way, many in _ways(atoms, flow)), default=1.0) for flow in every}


def _ways(atoms: Atoms, flow: Flow) -> Iterator[tuple[Hashable, int]]:
    """Bundles of cables in the direction in which a flow crosses them, with their number of cables."""
    near = int(atoms.wiring.leaf[flow.sender, flow.slot])
    far = int(atoms.wiring.leaf[flow.receiver, flow.other])
    for bundle in atoms.paths.between(near, far) or ():
        if bundle.kind == "cable":
            ends = set(atoms.wiring.ends[bundle.members[0]].tolist())
            up = near in ends if len(ends & {near, far}) == 1 else near < far
            yield (bundle, up), len(bundle.members)
