"""Which parts the readings of a test depend on.

The reading of a rail depends on the links between nodes; what is inside a node affects only the whole test. Two nodes depend on each other where one sends to the next of the ring.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rackwright.isolate.parts import PartIds
from rackwright.isolate.trial import OVERALL, Trial, TrialResult
from rackwright.isolate.wiring import NONE, Ints

Channels = Mapping[int, Ints]
"""Slot, or `OVERALL` -> ids of parts."""


def channels(atoms: PartIds, trial: Trial) -> Channels:
    """Slot of the sending rail, or `OVERALL` -> ids of the parts that its reading depends on; computed once per test."""
    if trial not in atoms.made:
        atoms.made[trial] = _channels(atoms, trial)
    return atoms.made[trial]


def _channels(atoms: PartIds, trial: Trial) -> Channels:
    if trial.over == "nvlink":
        return {OVERALL: _domain(atoms, trial)}
    parts_by_slot = {slot: _rail(atoms, trial, slot) for slot in _slots(atoms, trial)}
    inside = [atoms.inside(node) for node in trial.nodes]
    parts_by_slot[OVERALL] = np.unique(
        np.concatenate([np.array([*inside, *trial.nodes], np.int64), *parts_by_slot.values()])
    )
    return parts_by_slot


def channels_with_readings(atoms: PartIds, result: TrialResult) -> dict[int, Ints]:
    """The channels for which `result` has a reading."""
    return {slot: parts for slot, parts in channels(atoms, result.trial).items() if slot in result.readings}


def _slots(atoms: PartIds, trial: Trial) -> tuple[int, ...]:
    return trial.rails or tuple(range(atoms.wiring.slots))


def _rail(atoms: PartIds, trial: Trial, slot: int) -> Ints:
    leaf, receiving_slot = atoms.wiring.leaf, (slot + trial.shift) % atoms.wiring.slots
    ids: set[int] = set(trial.nodes)
    ways: set[tuple[int, int]] = set()
    for a, b in trial.hops:
        near, far = int(leaf[a, slot]), int(leaf[b, receiving_slot])
        if NONE in (near, far):
            continue
        ids |= {atoms.rail(a, slot), atoms.rail(b, receiving_slot), atoms.pair(a, b), atoms.pair(a, b, slot)}
        ways.add((near, far))
    for near, far in ways:
        ids |= {atoms.switch(near), atoms.switch(far)}
        ids |= {atoms.bundle(bundle) for bundle in atoms.paths.between(near, far) or ()}
    return np.array(sorted(ids), np.int64)


def _domain(atoms: PartIds, trial: Trial) -> Ints:
    domains = {int(atoms.wiring.domain[node]) for node in trial.nodes} - {NONE}
    inside = [atoms.inside(node) for node in trial.nodes]
    planes = [plane for domain in domains for plane in atoms.planes(domain)]
    pairs = [atoms.pair(a, b) for a, b in trial.hops]
    return np.array(sorted({*trial.nodes, *inside, *planes, *pairs}), np.int64)
