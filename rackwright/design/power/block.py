"""One rack seen as loads, supplies and circuits, and what flows where when some supplies are out.

The arithmetic of every power question; cut out so that sizing,
tables, rules and what-if give the same answer. Equal racks are one block.

A group is what shares its supplies: one device, or everything on the busbar of a rack. It spreads its load evenly over
the supplies that are left to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rackwright.design.power.capacity import PHASES, Floats, Lines, fill_watts

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
TENTH = 0.1
"""Watts that the tables keep no decimals below; nothing is overloaded by less."""


def summed(place: Ints, amount: Floats | Ints, size: int) -> Floats:
    """Sums of `amount` by place."""
    return np.asarray(np.bincount(place, weights=amount, minlength=size), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Block:
    """Columns by group, by supply and by circuit."""

    load: Floats
    """Peak watts of a group."""
    needed: Ints
    """Supplies of a group that must run; 0 for a busbar, where only the watts count."""
    group: Ints
    circuit: Ints
    feed: Ints
    phase: Ints
    watts: Ints
    """Rating of a supply."""
    usable: Floats
    """Watts a circuit may carry."""
    circuit_feed: Ints
    lines: Lines

    def draws(self, lost: Flags) -> Floats:
        """Watts of every supply when the `lost` ones are out."""
        left = np.bincount(self.group[~lost], minlength=len(self.load))
        share = np.divide(self.load, left, out=np.zeros(len(self.load)), where=left > 0)
        return np.where(lost, 0.0, share[self.group])

    def phases(self, draws: Floats) -> Floats:
        """Watts of every circuit by phase (``circuits x 3``)."""
        slots = len(self.usable) * PHASES
        return summed(self.circuit * PHASES + self.phase, draws, slots).reshape(-1, PHASES)

    def overloaded(self, phases: Floats) -> Flags:
        """Circuits that carry more than they may, in sum or on one line."""
        return np.greater(fill_watts(phases, self.lines), self.usable + TENTH)

    def feeds(self, phases: Floats, count: int) -> Floats:
        """Watts taken from every feed."""
        return summed(self.circuit_feed, phases.sum(axis=1), count)

    def spare(self, good: Flags) -> Floats:
        """How often the supplies that are `good` could carry each group; below 1 it goes down, infinite without load.

        The lower of watts left over load and supplies left over supplies needed: both must hold.
        """
        size = len(self.load)
        left = np.bincount(self.group[good], minlength=size)
        watts = summed(self.group[good], self.watts[good], size)
        enough = np.divide(watts, self.load, out=np.full(size, np.inf), where=self.load > 0)
        running = np.divide(left, self.needed, out=np.full(size, np.inf), where=self.needed > 0)
        return np.asarray(np.minimum(enough, running), dtype=np.float64)

    def share(self, good: Flags) -> Floats:
        """Share of its supply watts that each group still has; 1 for a group without load."""
        size = len(self.load)
        all_watts = summed(self.group, self.watts, size)
        good_watts = summed(self.group[good], self.watts[good], size)
        idle = np.where(self.load > 0, 0.0, 1.0)
        return np.divide(good_watts, all_watts, out=idle, where=(all_watts > 0) & (self.load > 0))
