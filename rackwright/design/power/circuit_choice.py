"""How many circuits a rack needs, and the circuit of every supply.

Every shelf has its own circuit. The supplies of a device on one feed share a circuit, unless only single supplies fit.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rackwright.design.power.capacity import PHASES, Floats
from rackwright.design.power.cords import Cord
from rackwright.design.power.terms import Terms

Key = tuple[int, int]
"""Feed, and number of a circuit of that feed from 1."""


@dataclass(frozen=True)
class CircuitLayout:
    """One way to wire a rack."""

    circuits: tuple[Key, ...]
    circuit: tuple[int, ...]
    """Of every cord, as a place in `circuits`."""


def worst_draws(all_cords: Sequence[Cord], loads: Floats, capped: Floats, terms: Terms) -> Floats:
    """Highest watts of every cord: with all feeds alive, or with group at `capped` watts after the loss of the feeds that supply most of it."""
    on: dict[int, Counter[int]] = defaultdict(Counter)
    for cord in all_cords:
        on[cord.group][cord.feed] += 1
    draw = {}
    for group, counts in on.items():
        surviving = sum(sorted(counts.values())[: max(0, len(counts) - terms.survive.feeds)])
        every = sum(counts.values())
        lost = 0 < surviving < every
        draw[group] = max(loads[group] / every, capped[group] / surviving if lost else 0.0)
    return np.array([draw[cord.group] for cord in all_cords])


def circuit_choices(all_cords: Sequence[Cord], worst: Floats, terms: Terms) -> Iterator[CircuitLayout]:
    """Layouts from the fewest circuits that the sums allow up to one circuit per cord; only the first if even one cord overloads a circuit."""
    carried: dict[int, float] = defaultdict(float)
    cords: Counter[int] = Counter()
    devices: dict[int, set[int]] = defaultdict(set)
    for cord, watts in zip(all_cords, worst, strict=True):
        if cord.shelf < 0:
            carried[cord.feed] += watts
            cords[cord.feed] += 1
            devices[cord.feed].add(cord.slot)
    most = max(cords.values(), default=0)
    least = min(most, max(1, math.ceil(max(carried.values(), default=0.0) / terms.usable)))
    together = max((len(slots) for slots in devices.values()), default=0)
    single = max(worst, default=0.0) * (PHASES if terms.lines.phases == PHASES else 1)
    for count in [least] if single > terms.usable else range(least, most + 1):
        yield _choice(all_cords, worst, count, count > together, terms)


def _choice(all_cords: Sequence[Cord], worst: Floats, count: int, alone: bool, terms: Terms) -> CircuitLayout:
    """`count` circuits per feed beside those of the shelves; each device (or cord) goes to the circuit with the least load."""
    shelves: dict[int, list[int]] = {feed: [] for feed in terms.reach}
    for cord in all_cords:
        if cord.shelf >= 0 and cord.shelf not in shelves[cord.feed]:
            shelves[cord.feed].append(cord.shelf)
    load = {feed: [0.0] * count for feed in shelves}
    chosen: dict[tuple[int, ...], int] = {}
    keys: list[Key] = []
    for cord, watts in zip(all_cords, worst, strict=True):
        feed_shelves, carried = shelves[cord.feed], load[cord.feed]
        if cord.shelf >= 0:
            keys.append((cord.feed, feed_shelves.index(cord.shelf) + 1))
            continue
        who = (cord.slot, cord.feed, cord.psu) if alone else (cord.slot, cord.feed)
        at = chosen.setdefault(who, carried.index(min(carried)))
        carried[at] += watts
        keys.append((cord.feed, len(feed_shelves) + at + 1))
    circuits = [
        (feed, number + 1) for feed, feed_shelves in shelves.items() for number in range(len(feed_shelves) + count)
    ]
    number = {key: at for at, key in enumerate(circuits)}
    return CircuitLayout(tuple(circuits), tuple(number[key] for key in keys))
