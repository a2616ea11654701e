"""Plays tests over a wiring with known faults and scattered readings; no machine is involved. The same seed gives the same readings.

A fault spoils exactly the readings that depend on it. A faulty cable is assumed to lose packets, so that every flow that may take it suffers (a cable that is only slow hides behind adaptive routing, and only its counters show it). Tests on some rails, or from rail to rail, measure only the rails, as on machines.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from rackwright.isolate.exercise import channels
from rackwright.isolate.noise import HIGHEST, Noise
from rackwright.isolate.parts import FaultPart, PartIds
from rackwright.isolate.simulate import LEAST_LOSS, WORST_LOSS
from rackwright.isolate.trial import OVERALL, Trial, TrialResult
from rackwright.isolate.wiring import Ints

OF_NODES = ("node", "nvlink", "rail")


class SimulatedTester:
    """A fleet in which each of `faults` loses a share."""

    def __init__(
        self, atoms: PartIds, faults: Mapping[FaultPart, float], noise: Noise, *,
        seed: int = 0, rails: bool = True, silent: Collection[int] = (),
    ) -> None:  # fmt: skip
        """`rails`: whether tests measure rails on their own; `silent`: nodes whose tests do not run."""
        self._atoms, self._noise, self._rails = atoms, noise, rails
        self._silent = frozenset(silent)
        self._loss = dict(faults)
        self._chance = np.random.default_rng(seed)

    def run(self, trials: list[Trial]) -> list[TrialResult]:
        """The simulated results of `trials`, which run at the same time."""
        return [self._result(trial) for trial in trials]

    def _result(self, trial: Trial) -> TrialResult:
        if silent := [self._atoms.wiring.nodes[node] for node in trial.nodes if node in self._silent]:
            return TrialResult(trial, None, why=f"{', '.join(silent)} did not answer")
        read = {slot: self._share(parts) for slot, parts in channels(self._atoms, trial).items()}
        rails = {slot: share for slot, share in read.items() if slot != OVERALL} if self._rails else {}
        return TrialResult(trial, None if rails and trial.rails_alone else read[OVERALL], rails)

    def _share(self, parts: Ints) -> float:
        if self._chance.random() < self._noise.disturbed:
            return float(self._chance.uniform(0.0, HIGHEST))
        loss = max((loss for part, loss in self._loss.items() if self._spoils(part, parts)), default=0.0)
        return float(1.0 - loss + self._chance.normal(0.0, self._noise.sigma))

    def _spoils(self, part: FaultPart, parts: Ints) -> bool:
        fixed = self._atoms.fixed(part)
        if fixed is not None and bool(np.isin(fixed, parts)):
            return True
        return part.kind in ("cable", "switch") and any(
            self._atoms.holds(int(atom), part) for atom in parts[self._atoms.bundled(parts)]
        )


def random_faults(atoms: PartIds, count: int, chance: Mapping[str, float], seed: int) -> dict[FaultPart, float]:
    """`count` nodes with one faulty part each -> its loss: the host, its inside, or one of its rails, by their prior
    probabilities.
    """
    draw = np.random.default_rng(seed)
    losses: dict[FaultPart, float] = {}
    for node in draw.choice(atoms.count, min(count, atoms.count), replace=False).tolist():
        rails = len(atoms.wiring.rails[node])
        ids = [node, atoms.inside(node), *(atoms.rail(node, slot) for slot in range(rails))]
        weight = np.array([chance["node"], chance["nvlink"], *[chance["rail"]] * rails])
        part = atoms.part(int(draw.choice(ids, p=weight / weight.sum())))
        losses[part] = float(draw.uniform(LEAST_LOSS, WORST_LOSS))
    return losses
