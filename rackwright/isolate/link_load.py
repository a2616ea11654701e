"""The rate that cables between switches leave for each flow of a round, when every rail sends at its full rate at the same time.

Where leaves have fewer cables up than down, flows from rail to rail share them, and a healthy fabric carries only a part of each. As in the proof of coverage, one flow fills one cable in one direction. Flows between rails without a path are omitted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from rackwright.isolate.parts import PartIds
from rackwright.isolate.trial import Trial
from rackwright.isolate.wiring import NONE


class RailFlow(NamedTuple):
    """One rail of one node sends to one rail of another."""

    sender: int
    slot: int
    receiver: int
    receiving_slot: int
    """Slot of the receiver."""


def flows(atoms: PartIds, trial: Trial) -> list[RailFlow]:
    """All flows of a test over the fabric, by slot of the sender, around the ring."""
    slots, leaf = atoms.wiring.slots, atoms.wiring.leaf
    rail_flows = []
    for slot in trial.rails or range(slots):
        receiving_slot = (slot + trial.shift) % slots
        for a, b in trial.hops:
            near, far = int(leaf[a, slot]), int(leaf[b, receiving_slot])
            if NONE not in (near, far) and atoms.paths.between(near, far) is not None:
                rail_flows.append(RailFlow(a, slot, b, receiving_slot))
    return rail_flows


def remaining_rates(atoms: PartIds, round_: Sequence[Trial]) -> dict[RailFlow, float]:
    """Flow of any test of a round -> the share of its rate that the fullest bundle of cables on its way leaves."""
    every = [flow for trial in round_ for flow in flows(atoms, trial)]
    demand = Counter(way for flow in every for way, _ in _ways(atoms, flow))
    return {
        flow: min((min(1.0, many / demand[way]) for way, many in _ways(atoms, flow)), default=1.0) for flow in every
    }


def _ways(atoms: PartIds, flow: RailFlow) -> Iterator[tuple[Hashable, int]]:
    """Bundles of cables in the direction in which a flow crosses them, with their number of cables."""
    near = int(atoms.wiring.leaf[flow.sender, flow.slot])
    far = int(atoms.wiring.leaf[flow.receiver, flow.receiving_slot])
    for bundle in atoms.paths.between(near, far) or ():
        if bundle.kind == "cable":
            ends = set(atoms.wiring.ends[bundle.members[0]].tolist())
            up = near in ends if len(ends & {near, far}) == 1 else near < far
            yield (bundle, up), len(bundle.members)
