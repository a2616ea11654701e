"""What a site loses at once, and what is left of it.

The one place where losses are simulated, for rules, tables and what-if;
racks that are equal and lose the same are worked out once.

Supplies share the load of what they feed. What then is overloaded (circuit, busway, feed with its UPS) guarantees nothing
to what hangs on it. A device is down when the supplies that are left to it and overload nothing are too few: fewer than
it needs, or not enough watts. A device that is short of supplies still draws its load through the rest, so that the loss
of more never lightens what is left.
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
class Limits:
    """What feeds, with their UPS, and busways can carry; infinite where nothing limits."""

    feed: float
    module: float
    """One UPS module."""
    modules: int
    """UPS modules of a feed; 0 without UPS."""
    busway: float


@dataclass(frozen=True, eq=False)
class Case:
    """Racks of one kind that lost the same."""

    kind: int
    good: Flags
    """Supplies that are left and overload nothing."""
    phases: Floats
    down: Flags
    """Groups that are down."""
    overloaded: Flags
    """Circuits that carry too much."""


@dataclass(frozen=True, eq=False)
class Aftermath:
    """Loads and losses of the whole site."""

    outage: Outage
    """With the feeds that its UPS take with them."""
    feeds: Floats
    busways: Floats
    """Rows x feeds."""
    over_feeds: Flags
    over_busways: Flags
    cases: list[Case]
    case: Ints
    """Of every rack."""

    def count(self, grid: Grid, what: str) -> int:
        """Nodes, accelerators or devices (``members``) that are down."""
        each = [int(getattr(grid.kinds[one.kind], what)[one.down].sum()) for one in self.cases]
        return int(np.array(each, dtype=np.int64)[self.case].sum())

    @property
    def survives(self) -> bool:
        """Nothing is down and nothing overloaded."""
        inside = any(bool(one.down.any() or one.overloaded.any()) for one in self.cases)
        return not (inside or self.over_feeds.any() or self.over_busways.any())

    def share(self, grid: Grid) -> float:
        """Share of its supply watts that is left to the device that is hurt most."""
        each = (grid.kinds[one.kind].block.share(one.good) for one in self.cases)
        return min((float(share.min()) for share in each if len(share)), default=1.0)


def simulate(grid: Grid, limits: Limits, outage: Outage) -> Aftermath:
    """What `outage` leaves. A feed of which every UPS module is out is out itself."""
    dark = frozenset(feed for feed, gone in outage.ups.items() if gone >= limits.modules)
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


def feed_limit(limits: Limits, outage: Outage, feed: int) -> float:
    """What a feed can carry: its own rating, or its UPS modules that are left where that is less."""
    left = limits.modules - outage.ups.get(feed, 0)
    return min(limits.feed, left * limits.module) if limits.modules else limits.feed


def _bits(flags: Flags) -> Ints:
    return np.asarray(flags @ (1 << np.arange(flags.shape[1], dtype=np.int64)), dtype=np.int64)


_State = tuple[int, Flags, Floats]


def _distinct(grid: Grid, lost: Flags, rack: int) -> tuple[list[tuple[int, int, int]], Ints]:
    """Kind, lost feeds as bits, and the rack where it lost something of its own; and which of them each rack is."""
    feeds = lost.shape[1]
    key = grid.kind * 2**feeds + _bits(lost)
    if rack >= 0:
        key[rack] = -1 - key[rack]
    found, case = np.unique(key, return_inverse=True)
    keys = [(-1 - int(one), rack) if one < 0 else (int(one), -1) for one in found]
    return [(one >> feeds, one % 2**feeds, own) for one, own in keys], case


def _state(grid: Grid, key: tuple[int, int, int], outage: Outage) -> _State:
    """Kind, lost supplies, and watts of its circuits by phase."""
    kind, bits, own = key
    block = grid.kinds[kind].block
    lost = (bits >> block.feed) % 2 == 1
    if own >= 0 and outage.supplies is not None:
        lost |= outage.supplies
    return kind, lost, block.phases(block.draws(lost))


def _case(grid: Grid, state: _State, doubtful: int) -> Case:
    kind, lost, phases = state
    block = grid.kinds[kind].block
    overloaded = block.overloaded(phases)
    good = ~lost & ~overloaded[block.circuit] & ((doubtful >> block.feed) % 2 == 0)
    return Case(kind, good, phases, block.spare(good) < 1, overloaded)
