"""Dates of a deployment: three crews that work one phase after the other.

Racks are
placed from the day of delivery, cabling starts the day after the last rack of the phase, onboarding the day after its
last cable. A crew finishes a phase before it starts the next. Every day of the calendar is worked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rackwright.design.deployment.work import Key, Work
from rackwright.model.economics import Deployment


@dataclass(frozen=True)
class Batch:
    """A phase to be scheduled."""

    name: str
    start: int
    """Ordinal of the day of delivery."""
    work: Work
    units: tuple[tuple[Key, Work], ...]
    """Its scalable units in the order in which they are onboarded."""


@dataclass(frozen=True)
class BatchDates:
    """The last day of each step, as ordinals."""

    placed: int
    cabled: int
    onboarded: int
    accepted: int
    units: tuple[int, ...]
    """Day on which each unit of the batch is handed over."""


def days(amount: int, per_day: int) -> int:
    """Whole days that `amount` takes."""
    return -(-amount // per_day)


def schedule(batches: Sequence[Batch], rates: Deployment) -> list[BatchDates]:
    """Dates of each batch, which come in the order in which they start."""
    racking = cabling = onboarding = 0
    dates = []
    for batch in batches:
        racking = _last_day_after(max(batch.start - 1, racking), batch.work.racks, rates.racks_per_day)
        cabling = _last_day_after(max(racking, cabling), batch.work.cables, rates.cables_per_day)
        begun = max(cabling, onboarding)
        units, done = [], 0
        for _, work in batch.units:
            done += work.nodes
            units.append(_last_day_after(begun, done, rates.nodes_per_day) + rates.acceptance_days)
        onboarding = _last_day_after(begun, batch.work.nodes, rates.nodes_per_day)
        dates.append(BatchDates(racking, cabling, onboarding, onboarding + rates.acceptance_days, tuple(units)))
    return dates


def _last_day_after(last: int, amount: int, per_day: int) -> int:
    """The last day of `amount` work that starts the day after `last`."""
    return last + days(amount, per_day)
