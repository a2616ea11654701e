"""Compares a node with its peers: finds the slow or hot one that no fixed limit finds.

Only comparable readings are compared: the same slot of the same SKU under the same condition. A part must stand out
beyond what chance explains in a fleet of this size (``peers.false_alarms``), and by as much as matters
(``peers.warn_…``). A place (rack, row, cooling loop) is compared with other places in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rackwright.compare.bounds import Bounds, Claim
from rackwright.compare.equal_nodes import judge_once
from rackwright.compare.fleet_matrix import NOWHERE
from rackwright.compare.limits import limit, limit_source, no_limit, number
from rackwright.compare.node_columns import Reading, Readings, packed
from rackwright.compare.outliers import Standing, places, standing_among_peers
from rackwright.compare.readings import finding
from rackwright.compare.robust import Spread
from rackwright.model.check import Expectation
from rackwright.model.verdict import Decided, Finding, Outcome

MATTERS = {
    "share": ("peers.warn_share", "policy.floor_share"),
    "kelvin": ("peers.warn_kelvin", "peers.fail_kelvin"),
    "count": ("peers.warn_count", "peers.fail_count"),
}
"""Unit of a difference -> metrics of the difference that matters: degraded, failed."""


Fleet = Sequence[tuple[Expectation, Readings | Sequence[Reading]]]
"""Nodes with their compared readings; columns, if there are many nodes."""


def compare_with_peers(fleet: Fleet, claim: Claim) -> dict[str, Finding]:
    """A finding for every node of `fleet`.

    Fail or degraded for a part that stands out; inconclusive for a node with a missing reading, or without limits;
    not_run for a node whose parts have too few peers.
    """
    peers = [
        (expectation, readings if isinstance(readings, Readings) else packed(readings))
        for expectation, readings in fleet
    ]
    names = [expectation.node.name for expectation, _ in peers]
    bounds_found = _bounds(peers[0][0], claim) if peers else None
    if bounds_found is None:
        return judge_once(peers, names, lambda expectation, _: no_limit(expectation, f"peers reading {claim.reading}"))
    bounds, source = bounds_found
    fleet_standing = standing_among_peers(peers, bounds)
    worst = fleet_standing.worst
    keys = [name if place == NOWHERE else True for name, place in zip(names, worst, strict=True)]
    return judge_once(
        [(expectation, (readings, place)) for (expectation, readings), place in zip(peers, worst, strict=True)],
        keys,
        lambda expectation, compared: _peer_finding(expectation, _telling_readings(*compared), fleet_standing, source),
    )


def _telling_readings(readings: Readings, worst: int) -> list[Reading]:
    """The readings that decide the finding of a node: all, or for a node that passes only the worst one, at index
    `worst`.
    """
    return list(readings.each()) if worst == NOWHERE else [readings.at(worst)]


def _bounds(expectation: Expectation, claim: Claim) -> tuple[Bounds, str] | None:
    """The bounds, and the source of the rate of false alarms; None if a limit is missing."""
    names = ("peers.fewest", "peers.false_alarms", *MATTERS[claim.by])
    rows = [limit(expectation, name, reading=claim.reading) for name in names]
    limits = [row for row in rows if row is not None]
    if len(limits) < len(rows):
        return None
    fewest, alarms, *matters = limits
    warn, fail = (1 - number(bound) if claim.by == "share" else number(bound) for bound in matters)
    return Bounds(claim, int(number(fewest)), number(alarms), warn, fail), limit_source(alarms)


class _Compared(NamedTuple):
    """A reading with peers."""

    reading: Reading
    value: float
    peers: Spread
    outcome: Outcome
    difference: float


def _peer_finding(expectation: Expectation, readings: Sequence[Reading], fleet: Standing, source: str) -> Finding:
    compared: list[_Compared] = []
    alone: list[str] = []
    for reading in readings:
        peers = fleet.spread(expectation, reading)
        if reading.value is not None and peers is not None:
            compared.append(_Compared(reading, reading.value, peers, *fleet.outcome(reading.value, peers)))
        elif reading.value is not None:
            alone.append(reading.part)
    missing = [reading.part for reading in readings if reading.value is None]
    where = dict.fromkeys(place for reading in readings if fleet.odd for place in places(expectation, reading))
    odd_places = [(place, fleet.odd[place]) for place in where if place in fleet.odd]
    outcomes = {reading.outcome for reading in compared} | {odd.outcome for _, odd in odd_places}
    claim = fleet.bounds.claim
    sentences = [_stands_out(reading, claim) for reading in compared if reading.outcome != Outcome.PASS]
    sentences += [
        f"{kind} {name} as a whole stands out among {odd.count} by {_amount(odd.difference, claim)}"
        for (kind, name), odd in odd_places
    ]
    if missing or not readings:
        sentences.append(f"no reading of {', '.join(missing)}" if missing else "nothing to read")
    if alone:
        sentences.append(
            f"{', '.join(alone)} compared with nothing: fewer than {fleet.bounds.fewest} like it were read"
        )
    outcome = _outcome(outcomes, unread=bool(missing or not readings), alone=bool(alone))
    return _sentence(expectation, outcome, sentences, compared, fleet.bounds, source)


def _outcome(outcomes: set[Outcome], *, unread: bool, alone: bool) -> Outcome:
    if Outcome.FAIL in outcomes:
        return Outcome.FAIL
    if unread:
        return Outcome.INCONCLUSIVE
    if Outcome.DEGRADED in outcomes:
        return Outcome.DEGRADED
    return Outcome.NOT_RUN if alone else Outcome.PASS


def _stands_out(compared: _Compared, claim: Claim) -> str:
    side = "above" if claim.high else "below"
    return (
        f"{compared.reading.part}: {compared.value:.4g} {claim.unit}, {_amount(compared.difference, claim)} {side} the median "
        f"{compared.peers.middle:.4g} of {compared.peers.count} peers"
    )


def _amount(difference: float, claim: Claim) -> str:
    return f"{difference:.1%}" if claim.by == "share" else f"{difference:.4g} {claim.unit}"


def _sentence(
    expectation: Expectation,
    outcome: Outcome,
    sentences: Sequence[str],
    compared: Sequence[_Compared],
    bounds: Bounds,
    source: str,
) -> Finding:
    claim = bounds.claim
    worst = max(compared, key=lambda candidate: candidate.difference, default=None)
    side = "above" if claim.high else "below"
    expected = (
        f"at most {_amount(bounds.warn, claim)} {side} its peers, or as much as chance explains "
        f"(false alarm in {bounds.alarms:.0%} of healthy fleets)"
    )
    observed = "; ".join(sentences)
    if not sentences and worst is not None:
        observed = f"{worst.value:.4g} {claim.unit} ({worst.reading.part}), median of {worst.peers.count} peers {worst.peers.middle:.4g}"
    decided: Decided = {} if worst is None else {"value": worst.value, "unit": claim.unit, "limit": worst.peers.middle}
    return finding(
        expectation, outcome, what=claim.what, observed=observed, expected=expected, source=source, **decided
    )
