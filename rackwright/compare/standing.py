"""Who stands out among alike parts, and which place among alike places. In: readings of many nodes. Out: a `Standing`. Pure.

Split from `peers`, which makes findings of it: this is the statistics, and what `benchmarks/judge.py` measures false alarms of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from rackwright.compare.robust import Spread, spread
from rackwright.model.check import Expectation
from rackwright.model.verdict import Outcome

Place = tuple[str, str]
"""Kind (``rack``) and name."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one part."""

    part: str
    """The name an engineer finds it by."""
    slot: str
    """What it is compared with on other nodes: same position, same condition (``GPU 3 at P0``)."""
    value: float | None
    rail: str = ""
    """Rail that it belongs to, where parts of all rails are alike and share a slot."""


@dataclass(frozen=True)
class Claim:
    """What is compared."""

    reading: str
    """Key of the limits (``temperature``)."""
    what: str
    unit: str
    high: bool
    """True when the high side is the bad one."""
    by: Literal["share", "kelvin", "count"]


Fleet = Sequence[tuple[Expectation, Sequence[Reading]]]


@dataclass(frozen=True)
class Bounds:
    """What a difference is held against."""

    claim: Claim
    fewest: int
    alarms: float
    """Chance of a false alarm in a healthy fleet."""
    warn: float
    fail: float

    def difference(self, value: float, middle: float) -> float:
        """How far a value stands on the bad side, in the unit of `warn` and `fail`."""
        apart = value - middle if self.claim.high else middle - value
        return apart / middle if self.claim.by == "share" and middle else apart

    def outcome(self, difference: float, chance: float) -> Outcome:
        """What a difference gives when chance explains as much as `chance`."""
        if difference <= max(chance, self.warn):
            return Outcome.PASS
        return Outcome.FAIL if difference > self.fail else Outcome.DEGRADED


@dataclass(frozen=True)
class Odd:
    """A place that stands out."""

    outcome: Outcome
    difference: float
    count: int
    """How many places were compared."""


@dataclass(frozen=True)
class Standing:
    """Where everything stands."""

    bounds: Bounds
    spreads: Mapping[tuple[str, str], Spread]
    """Of every slot of a SKU with enough readings."""
    chance: float
    """Of a false alarm in one of the comparisons."""
    odd: Mapping[Place, Odd]

    def spread(self, expectation: Expectation, reading: Reading) -> Spread | None:
        """The peers of a reading; None when it has too few."""
        return self.spreads.get(slot(expectation, reading))

    def outcome(self, value: float, peers: Spread) -> tuple[Outcome, float]:
        """What a reading gives beside its peers, and how far it is on the bad side."""
        difference = self.bounds.difference(value, peers.middle)
        if difference <= self.bounds.warn:  # no more than matters, whatever chance explains
            return Outcome.PASS, difference
        unit = peers.middle if self.bounds.claim.by == "share" and peers.middle else 1.0
        return self.bounds.outcome(difference, peers.distance(self.chance) / unit), difference


def standing(fleet: Fleet, bounds: Bounds) -> Standing:
    """Every comparison of `fleet` shares one chance of a false alarm (Bonferroni), whatever depends on what."""
    spreads = _spreads(fleet, bounds)
    places = _places(fleet, spreads, bounds)
    chance = bounds.alarms / max(1, sum(one.count for one in spreads.values()) + len(places))
    return Standing(bounds, spreads, chance, _odd(places, bounds, chance))


def slot(expectation: Expectation, reading: Reading) -> tuple[str, str]:
    """What a reading is compared within."""
    part = expectation.node.accelerator or expectation.node.server
    return part.sku, reading.slot


def places(expectation: Expectation, reading: Reading) -> list[Place]:
    """Everything that a reading is taken at."""
    rail = [("rail", reading.rail)] if reading.rail else []
    return [*expectation.places.items(), *rail]


def _spreads(fleet: Fleet, bounds: Bounds) -> dict[tuple[str, str], Spread]:
    """Of every slot with enough readings."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for expectation, readings in fleet:
        for one in readings:
            if one.value is not None:
                values[slot(expectation, one)].append(one.value)
    return {slot: spread(some) for slot, some in values.items() if len(some) >= bounds.fewest}


def _places(fleet: Fleet, spreads: Mapping[tuple[str, str], Spread], bounds: Bounds) -> dict[Place, float]:
    """By kind and name of a place: the median difference of its parts, of places with more than one node."""
    found: dict[Place, list[float]] = defaultdict(list)
    nodes: dict[Place, int] = defaultdict(int)
    for expectation, readings in fleet:
        own: list[float] = []
        rails: dict[Place, list[float]] = defaultdict(list)
        for one in readings:
            there = spreads.get(slot(expectation, one))
            if there is not None and one.value is not None:
                own.append(bounds.difference(one.value, there.middle))
                if one.rail:
                    rails["rail", one.rail].append(own[-1])
        for place, some in (*((place, own) for place in expectation.places.items() if own), *rails.items()):
            found[place] += some
            nodes[place] += 1
    return {place: median(some) for place, some in found.items() if nodes[place] > 1}


def _odd(places: Mapping[Place, float], bounds: Bounds, chance: float) -> dict[Place, Odd]:
    """Places that stand out among those of their kind."""
    kinds: dict[str, list[float]] = defaultdict(list)
    for (kind, _), difference in places.items():
        kinds[kind].append(difference)
    found = {}
    for place, difference in places.items():
        alike = kinds[place[0]]
        if len(alike) >= bounds.fewest:
            own = spread(alike)
            outcome = bounds.outcome(difference - own.middle, own.distance(chance))
            if outcome != Outcome.PASS:
                found[place] = Odd(outcome, difference, len(alike))
    return found
