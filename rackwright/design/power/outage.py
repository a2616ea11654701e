"""Simulates what a site loses at once and what still runs.

The only place where losses are simulated, for rules, tables and what-if. Equal racks with equal losses are computed once.

Supplies share the load of what they feed. An overloaded circuit, busway or feed (with its UPS) guarantees nothing to what it
feeds. A device is down when its remaining supplies on elements without overload are too few: fewer than it needs, or not
enough watts. A device that is short of supplies still draws its load through the remaining ones, so that losing more never
reduces the load elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from rackwright.design.power.block import TENTH, Flags, Ints
from rackwright.design.power.capacity import Floats
from rackwright.design.power.grid import Grid


@dataclass(frozen=True, eq=False)
class Outage:
    """What is out."""

    feeds: frozenset[int] = frozenset()
    ups: Mapping[int, int] = field(default_factory=dict)
    """UPS modules out, by feed."""
    busways: frozenset[tuple[int, int]] = frozenset()
    """Rows and feeds."""
    rack: int = -1
    supplies: Flags | None = None
    """Supplies of that rack that are out."""


@dataclass(frozen=True, eq=False)
class PowerLimits:
    """Capacity of feeds, with their UPS, and of busways; infinite where nothing limits."""

    feed: float
    module: float
    """One UPS module."""
    modules: int
    """UPS modules of a feed; 0 without UPS."""
    busway: float


@dataclass(frozen=True, eq=False)
class RackOutcome:
    """Racks of one kind with the same losses."""

    kind: int
    good: Flags
    """Supplies that still work on elements without overload."""
    phases: Floats
    down: Flags
    """Groups that are down."""
    overloaded: Flags
    """Circuits that carry too much."""


@dataclass(frozen=True, eq=False)
class Aftermath:
    """Loads and losses of the whole site."""

    outage: Outage
    """Includes feeds that are out because all their UPS modules are."""
    feeds: Floats
    busways: Floats
    """Rows x feeds."""
    over_feeds: Flags
    over_busways: Flags
    outcomes: list[RackOutcome]
    outcome: Ints
    """Index into `outcomes`, by rack."""

    def count(self, grid: Grid, what: str) -> int:
        """Nodes, accelerators or devices (``members``) that are down."""
        each = [int(getattr(grid.kinds[outcome.kind], what)[outcome.down].sum()) for outcome in self.outcomes]
        return int(np.array(each, dtype=np.int64)[self.outcome].sum())

    @property
    def survives(self) -> bool:
        """Nothing is down and nothing overloaded."""
        inside = any(bool(outcome.down.any() or outcome.overloaded.any()) for outcome in self.outcomes)
        return not (inside or self.over_feeds.any() or self.over_busways.any())

    def share(self, grid: Grid) -> float:
        """Remaining share of the supply watts of the device that is hit hardest."""
        each = (grid.kinds[outcome.kind].block.share(outcome.good) for outcome in self.outcomes)
        return min((float(share.min()) for share in each if len(share)), default=1.0)


def simulate_outage(grid: Grid, limits: PowerLimits, outage: Outage) -> Aftermath:
    """The aftermath of `outage`. A feed whose UPS modules are all out is out itself."""
    dark = frozenset(feed for feed, lost_modules in outage.ups.items() if lost_modules >= limits.modules)
    outage = replace(outage, feeds=outage.feeds | dark)
    feeds = len(grid.feeds)
    lost = np.zeros((len(grid.racks), feeds), dtype=bool)
    lost[:, sorted(outage.feeds)] = True
    for row, feed in outage.busways:
        lost[grid.row == row, feed] = True
    keys, case = _distinct(grid, lost, outage.rack)
    states = [_state(grid, key, outage) for key in keys]
    by_case = np.array([grid.kinds[kind].block.feeds(phases, feeds) for kind, _, phases in states]).reshape(-1, feeds)
    by_rack = by_case[case]
    busways = np.zeros((len(grid.rows), feeds))
    np.add.at(busways, grid.row, by_rack)
    total = by_rack.sum(axis=0)
    over_feeds = total > np.array([feed_limit(limits, outage, feed) for feed in range(feeds)]) + TENTH
    over_busways = busways > limits.busway + TENTH
    doubt = over_feeds[None, :] | over_busways[grid.row]
    pairs, final = np.unique(case * 2**feeds + _bits(doubt), return_inverse=True)
    cases = [_case(grid, states[int(pair) >> feeds], int(pair) % 2**feeds) for pair in pairs]
    return Aftermath(outage, total, busways, over_feeds, over_busways, cases, final)


def feed_limit(limits: PowerLimits, outage: Outage, feed: int) -> float:
    """Capacity of a feed in watts: its own rating, or that of its remaining UPS modules where that is less."""
    remaining = limits.modules - outage.ups.get(feed, 0)
    return min(limits.feed, remaining * limits.module) if limits.modules else limits.feed


def _bits(flags: Flags) -> Ints:
    return np.asarray(flags @ (1 << np.arange(flags.shape[1], dtype=np.int64)), dtype=np.int64)


_State = tuple[int, Flags, Floats]


def _distinct(grid: Grid, lost: Flags, rack: int) -> tuple[list[tuple[int, int, int]], Ints]:
    """Keys of the different rack states (kind, lost feeds as bits, the rack if it lost supplies itself), and the key index of each rack."""
    feeds = lost.shape[1]
    key = grid.kind * 2**feeds + _bits(lost)
    if rack >= 0:
        key[rack] = -1 - key[rack]
    distinct, case = np.unique(key, return_inverse=True)
    keys = [(-1 - int(code), rack) if code < 0 else (int(code), -1) for code in distinct]
    return [(code >> feeds, code % 2**feeds, changed) for code, changed in keys], case


def _state(grid: Grid, key: tuple[int, int, int], outage: Outage) -> _State:
    """(kind of rack, lost supplies, watts of its circuits by phase) for one key of `_distinct`."""
    kind, bits, changed = key
    block = grid.kinds[kind].block
    lost = (bits >> block.feed) % 2 == 1
    if changed >= 0 and outage.supplies is not None:
        lost |= outage.supplies
    return kind, lost, block.phases(block.draws(lost))


def _case(grid: Grid, state: _State, doubtful: int) -> RackOutcome:
    kind, lost, phases = state
    block = grid.kinds[kind].block
    overloaded = block.overloaded(phases)
    good = ~lost & ~overloaded[block.circuit] & ((doubtful >> block.feed) % 2 == 0)
    return RackOutcome(kind, good, phases, block.spare(good) < 1, overloaded)
