"""Finds parts that stand out among comparable parts, and places that stand out among places.

Columns are compared instead of single readings: in a large fleet most readings are never displayed, as long as they
agree with their peers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rackwright.compare.bounds import Bounds
from rackwright.compare.fleet_matrix import NOWHERE, Flat, Floats, Ints, Kind, Peers, flat_readings, kinds, sku
from rackwright.compare.node_columns import Reading
from rackwright.compare.robust import Spread, medians, spread, spreads
from rackwright.model.check import Expectation
from rackwright.model.verdict import Outcome

Place = tuple[str, str]
"""Kind (``rack``) and name."""


@dataclass(frozen=True)
class Odd:
    """A place that stands out."""

    outcome: Outcome
    difference: float
    count: int
    """Number of places that were compared."""


@dataclass(frozen=True)
class Standing:
    """The result of the comparison of a whole fleet."""

    bounds: Bounds
    spreads: Mapping[tuple[str, str], Spread]
    """(SKU, slot) -> spread of its readings, if there are enough of them."""
    chance: float
    """Probability of a false alarm in one of the comparisons."""
    odd: Mapping[Place, Odd]

    worst: Sequence[int]
    """By node of the fleet: index of its worst reading if nothing is missing, all readings have peers and agree with
    them, and no place of the node is odd; otherwise `NOWHERE`.
    """

    def spread(self, expectation: Expectation, reading: Reading) -> Spread | None:
        """The spread of the peers of a reading; None if it has too few."""
        return self.spreads.get((sku(expectation), reading.slot))

    def outcome(self, value: float, peers: Spread) -> tuple[Outcome, float]:
        """The outcome of a reading among its peers, and its distance towards the bad side."""
        difference = self.bounds.difference(value, peers.middle)
        if difference <= self.bounds.warn:  # too small to matter, whatever chance explains
            return Outcome.PASS, difference
        return self.bounds.outcome(difference, _share_by_chance(peers, self.bounds, self.chance)), difference


@dataclass(frozen=True)
class _Compared:
    """The readings that have peers, as columns in ascending order of the difference; of equal differences the first
    reading comes last.
    """

    row: Ints
    """Index among all readings."""
    node: Ints
    slot: Ints
    rail: Ints
    difference: Floats


def standing_among_peers(fleet: Peers, bounds: Bounds) -> Standing:
    """Compare all readings of `fleet`; all comparisons share one probability of a false alarm (Bonferroni)."""
    columns, where = flat_readings(fleet), kinds(fleet)
    slot_spreads = _spread_by_slot(columns, bounds)
    compared = _compare_slots(columns, slot_spreads, bounds)
    around = _places(compared, columns, where)
    spreads_by_slot = {columns.slots[number]: peers for number, peers in slot_spreads.items()}
    chance = bounds.alarms / max(1, sum(peers.count for peers in slot_spreads.values()) + len(around))
    odd = _odd(around, bounds, chance)
    allowed = np.full(len(columns.slots), np.nan)
    for number, place_difference in slot_spreads.items():
        allowed[number] = max(bounds.warn, _share_by_chance(place_difference, bounds, chance))
    good = compared.node[compared.difference <= allowed[compared.slot]]
    read = np.bincount(columns.node, minlength=len(fleet))
    passing = (read > 0) & (np.bincount(good, minlength=len(fleet)) == read)
    passing &= ~_nodes_with_odd_place(odd, columns, where, len(fleet))
    return Standing(
        bounds,
        spreads_by_slot,
        chance,
        odd,
        np.where(passing, _worst_places(compared, columns, len(fleet)), NOWHERE).tolist(),
    )


def _worst_places(compared: _Compared, columns: Flat, nodes: int) -> Ints:
    """By node: index of its worst reading among the readings of the node."""
    worst = np.zeros(nodes, dtype=np.intp)
    worst[compared.node] = compared.row  # of several rows of a node the last one stays
    return worst - np.searchsorted(columns.node, np.arange(nodes))


def _share_by_chance(peers: Spread, bounds: Bounds, chance: float) -> float:
    """The difference that chance explains."""
    return peers.distance(chance) / bounds.unit(peers.middle)


def places(expectation: Expectation, reading: Reading) -> list[Place]:
    """All places of a reading: those of its node, and its rail."""
    rail = [("rail", reading.rail)] if reading.rail else []
    return [*expectation.places.items(), *rail]


def _spread_by_slot(columns: Flat, bounds: Bounds) -> dict[int, Spread]:
    """Index of each slot with enough readings -> their spread."""
    read = ~np.isnan(columns.value)
    by_slot = spreads(columns.slot[read], columns.value[read], len(columns.slots))
    return {number: peers for number, peers in enumerate(by_slot) if peers is not None and peers.count >= bounds.fewest}


def _compare_slots(columns: Flat, slot_spreads: Mapping[int, Spread], bounds: Bounds) -> _Compared:
    middle, unit = np.full(len(columns.slots), np.nan), np.ones(len(columns.slots))
    for number, peers in slot_spreads.items():
        middle[number], unit[number] = peers.middle, bounds.unit(peers.middle)
    apart = columns.value - middle[columns.slot]
    difference = (apart if bounds.claim.high else -apart) / unit[columns.slot]
    order = len(difference) - 1 - np.argsort(difference[::-1], kind="stable")
    read = order[: np.count_nonzero(~np.isnan(difference))]  # nan sorts last
    return _Compared(read, columns.node[read], columns.slot[read], columns.rail[read], difference[read])


def _places(compared: _Compared, columns: Flat, where: Sequence[Kind]) -> dict[Place, float]:
    """(kind, name) of a place with more than one node -> the median difference of its parts."""
    middles: dict[Place, float] = {}
    nodes = np.flatnonzero(np.bincount(compared.node))
    for kind in where:
        middles |= _median_by_place(
            kind.name, kind.places, kind.of_node[compared.node], compared.difference, kind.of_node[nodes]
        )
    if columns.rails:
        rails = len(columns.rails)
        pairs = np.unique((compared.node * rails + compared.rail)[compared.rail != NOWHERE])
        middles |= _median_by_place("rail", columns.rails, compared.rail, compared.difference, pairs % rails)
    return middles


def _median_by_place(kind: str, names: Sequence[str], at: Ints, difference: Floats, nodes: Ints) -> dict[Place, float]:
    """(kind, name) of a place -> median difference; `at` is the place of each difference, `nodes` the place of each
    node.
    """
    inside = at != NOWHERE
    _, middles = medians(at[inside], difference[inside], len(names))
    counts = np.bincount(nodes[nodes != NOWHERE], minlength=len(names)).tolist()
    rows = zip(names, middles.tolist(), counts, strict=True)
    return {(kind, name): middle for name, middle, count in rows if count > 1}


def _odd(places: Mapping[Place, float], bounds: Bounds, chance: float) -> dict[Place, Odd]:
    """Places that stand out among those of their kind."""
    alike: dict[str, list[float]] = defaultdict(list)
    for (kind, _), difference in places.items():
        alike[kind].append(difference)
    by_kind = {kind: spread(some) for kind, some in alike.items() if len(some) >= bounds.fewest}
    explained = {kind: peers.distance(chance) for kind, peers in by_kind.items()}
    odd = {}
    for (kind, name), difference in places.items():
        if kind in by_kind:
            outcome = bounds.outcome(difference - by_kind[kind].middle, explained[kind])
            if outcome != Outcome.PASS:
                odd[kind, name] = Odd(outcome, difference, by_kind[kind].count)
    return odd


def _nodes_with_odd_place(
    odd: Mapping[Place, Odd], columns: Flat, where: Sequence[Kind], nodes: int
) -> NDArray[np.bool_]:
    """By node: whether one of its places is odd."""
    inside = np.zeros(nodes, dtype=np.bool_)
    for kind in where:
        wrong = [number for number, name in enumerate(kind.places) if (kind.name, name) in odd]
        inside |= np.isin(kind.of_node, wrong)
    wrong = [number for number, name in enumerate(columns.rails) if ("rail", name) in odd]
    inside[columns.node[np.isin(columns.rail, wrong)]] = True
    return inside
