"""Which parts the readings of a test depend on. A rail's
reading is of the wire between nodes; what is inside a node shows in the whole test alone. Two nodes meet where one sends to the next of the ring.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rackwright.isolate.parts import Atoms
from rackwright.isolate.trial import OVERALL, Told, Trial
from rackwright.isolate.wiring import NONE, Ints

Channels = Mapping[int, Ints]
"""Slot, or `OVERALL` -> ids of parts."""


def channels(atoms: Atoms, trial: Trial) -> Channels:
    """By slot of the sending rail, and the whole; made once per test."""
    if trial not in atoms.made:
        atoms.made[trial] = _channels(atoms, trial)
    return atoms.made[trial]


def _channels(atoms: Atoms, trial: Trial) -> Channels:
    if trial.over == "nvlink":
        return {OVERALL: _domain(atoms, trial)}
    found = {slot: _rail(atoms, trial, slot) for slot in _slots(atoms, trial)}
    inside = [atoms.inside(node) for node in trial.nodes]
    found[OVERALL] = np.unique(np.concatenate([np.array([*inside, *trial.nodes], np.int64), *found.values()]))
    return found


def told(atoms: Atoms, one: Told) -> dict[int, Ints]:
    """The channels for which `one` has a reading."""
    return {slot: parts for slot, parts in channels(atoms, one.trial).items() if slot in one.readings}


def _slots(atoms: Atoms, trial: Trial) -> tuple[int, ...]:
    return trial.rails or tuple(range(atoms.wiring.slots))


def _rail(atoms: Atoms, trial: Trial, slot: int) -> Ints:
    leaf, other = atoms.wiring.leaf, (slot + trial.shift) % atoms.wiring.slots
    found: set[int] = set(trial.nodes)
    ways: set[tuple[int, int]] = set()
    for a, b in trial.hops:
        near, far = int(leaf[a, slot]), int(leaf[b, other])
        if NONE in (near, far):
            continue
        found |= {atoms.rail(a, slot), atoms.rail(b, other), atoms.pair(a, b), atoms.pair(a, b, slot)}
        ways.add((near, far))
    for near, far in ways:
        found |= {atoms.switch(near), atoms.switch(far)}
        found |= {atoms.bundle(bundle) for bundle in atoms.paths.between(near, far) or ()}
    return np.array(sorted(found), np.int64)


def _domain(atoms: Atoms, trial: Trial) -> Ints:
    domains = {int(atoms.wiring.domain[node]) for node in trial.nodes} - {NONE}
    inside = [atoms.inside(node) for node in trial.nodes]
    planes = [plane for domain in domains for plane in atoms.planes(domain)]
    pairs = [atoms.pair(a, b) for a, b in trial.hops]
    return np.array(sorted({*trial.nodes, *inside, *planes, *pairs}), np.int64)
