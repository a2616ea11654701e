"""One rack as loads, supplies and circuits, and how power flows when some supplies are out.

The arithmetic behind sizing, tables, rules and what-if, so that all give the same answer. Equal racks share one block.

A group shares its supplies: one device, or everything on the busbar of a rack. It spreads its load evenly over the supplies
that still work.
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


def sum_by(place: Ints, amount: Floats | Ints, size: int) -> Floats:
    """Sums of `amount` by place."""
    return np.asarray(np.bincount(place, weights=amount, minlength=size), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class RackBlock:
    """Columns by group, by supply and by circuit."""

    load: Floats
    """Peak watts of a group."""
    needed: Ints
    """Supplies of a group that must run; 0 for a busbar, where only the watts count."""
    capped_load: Floats
    """Peak watts of a group that has lost a supply."""
    capped_needed: Ints
    """Supplies of such a group that must run."""
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

    def hit(self, lost: Flags) -> Flags:
        """Groups that lose any supply of `lost`."""
        return np.greater(np.bincount(self.group[lost], minlength=len(self.load)), 0)

    def loads(self, lost: Flags) -> Floats:
        """Peak watts of every group without the `lost` supplies."""
        return np.where(self.hit(lost), self.capped_load, self.load)

    def needs(self, lost: Flags) -> Ints:
        """Number of supplies that every group needs without the `lost` ones."""
        return np.where(self.hit(lost), self.capped_needed, self.needed)

    def draws(self, lost: Flags) -> Floats:
        """Watts of every supply without the `lost` ones."""
        alive = np.bincount(self.group[~lost], minlength=len(self.load))
        share = np.divide(self.loads(lost), alive, out=np.zeros(len(self.load)), where=alive > 0)
        return np.where(lost, 0.0, share[self.group])

    def phases(self, draws: Floats) -> Floats:
        """Watts of every circuit by phase (``circuits x 3``)."""
        slots = len(self.usable) * PHASES
        return sum_by(self.circuit * PHASES + self.phase, draws, slots).reshape(-1, PHASES)

    def overloaded(self, phases: Floats) -> Flags:
        """Circuits that carry more than they may, in sum or on one line."""
        return np.greater(fill_watts(phases, self.lines), self.usable + TENTH)

    def feeds(self, phases: Floats, count: int) -> Floats:
        """Watts taken from every feed."""
        return sum_by(self.circuit_feed, phases.sum(axis=1), count)

    def spare(self, good: Flags) -> Floats:
        """Factor by which the `good` supplies could carry each group; a group goes down below 1; infinite without load.

        The lower of remaining watts over load and remaining supplies over required supplies: both must hold.
        """
        size, load, needed = len(self.load), self.loads(~good), self.needs(~good)
        alive = np.bincount(self.group[good], minlength=size)
        watts = sum_by(self.group[good], self.watts[good], size)
        enough = np.divide(watts, load, out=np.full(size, np.inf), where=load > 0)
        running = np.divide(alive, needed, out=np.full(size, np.inf), where=needed > 0)
        return np.asarray(np.minimum(enough, running), dtype=np.float64)

    def share(self, good: Flags) -> Floats:
        """Share of its supply watts that each group still has; 1 for a group without load."""
        size = len(self.load)
        all_watts = sum_by(self.group, self.watts, size)
        good_watts = sum_by(self.group[good], self.watts[good], size)
        idle = np.where(self.load > 0, 0.0, 1.0)
        return np.divide(good_watts, all_watts, out=idle, where=(all_watts > 0) & (self.load > 0))
