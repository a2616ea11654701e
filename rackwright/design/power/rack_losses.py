"""The losses that one rack must survive, one kind at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from rackwright.design.power.block import Flags, RackBlock
from rackwright.design.power.feed_losses import feed_loss_sets
from rackwright.model.facility import PowerLosses

MOST = 5000
"""Sets of circuits that are tried in one rack: every pair of 100 circuits."""


@dataclass(frozen=True, eq=False)
class RackLoss:
    """What is out in one rack; at most one of the three is not empty."""

    lost: Flags
    """Supplies that are out."""
    feeds: tuple[int, ...] = ()
    circuits: tuple[int, ...] = ()
    group: int = -1
    """The group that lost supplies."""
    supplies: int = 0

    def text(self, feeds: Sequence[str], circuits: Sequence[str]) -> str:
        """``feed A``, ``circuits r01-A1 and r01-B1``, empty for no loss."""
        if self.feeds:
            return list_names("feed", [feeds[at] for at in self.feeds])
        if self.circuits:
            return list_names("circuit", [circuits[at] for at in self.circuits])
        if self.supplies:
            return f"{self.supplies} suppl{'y' if self.supplies == 1 else 'ies'} of one device"
        return ""


def list_names(kind: str, names: Sequence[str]) -> str:
    """``feed A``, ``feeds A and B``."""
    return f"{kind}{'s' if len(names) > 1 else ''} {' and '.join(names)}"


def while_lost(what: str) -> str:
    """``with feed A lost``, ``with every feed alive``."""
    return f"with {what} lost" if what else "with every feed alive"


def rack_losses(block: RackBlock, feeds: int, survive: PowerLosses) -> Iterator[RackLoss]:
    """Every declared loss of feeds, then of rack PDUs (circuits), then of supplies."""
    yield from feed_cases(block, feeds, survive.feeds)
    yield from circuit_cases(block, survive.pdus)
    yield from supply_cases(block, survive.psus)


def feed_cases(block: RackBlock, feeds: int, survive: int) -> Iterator[RackLoss]:
    """Every set of up to `survive` feeds, the empty one first."""
    for lost in feed_loss_sets(range(feeds), survive):
        out = tuple(sorted(lost))
        yield RackLoss(np.isin(block.feed, out), feeds=out)


def circuit_cases(block: RackBlock, count: int) -> Iterator[RackLoss]:
    """Every set of `count` circuits of the rack."""
    used = [int(at) for at in np.unique(block.circuit)]
    if 0 < count <= len(used):
        for out in islice(combinations(used, count), MOST):
            yield RackLoss(np.isin(block.circuit, out), circuits=out)


def supply_cases(block: RackBlock, count: int) -> Iterator[RackLoss]:
    """The first `count` supplies of every group, one group at a time."""
    if count == 0 or not len(block.group):
        return
    order = np.argsort(block.group, kind="stable")
    starts = np.searchsorted(block.group[order], np.unique(block.group))
    for at, start in enumerate(starts):
        end = starts[at + 1] if at + 1 < len(starts) else len(order)
        lost = np.zeros(len(order), dtype=bool)
        lost[order[start : min(end, start + count)]] = True
        yield RackLoss(lost, group=int(block.group[order[start]]), supplies=count)
