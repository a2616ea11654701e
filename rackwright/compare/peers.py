"""A node beside its peers: finds the slow or hot one that no fixed limit finds.

Like is compared with like: the same slot of the same SKU under the same
condition. A part must stand out beyond what chance explains in a fleet of this size (``peers.false_alarms``), and by as
much as matters (``peers.warn_…``). A place (rack, row, cooling loop) is compared with other places in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rackwright.compare.bounds import Bounds, Claim
from rackwright.compare.equal_nodes import judge_once
from rackwright.compare.limits import limit, limit_source, no_limit, number
from rackwright.compare.node_columns import Reading, Readings, packed
from rackwright.compare.outliers import Standing, places, standing
from rackwright.compare.readings import finding
from rackwright.compare.robust import Spread
from rackwright.model.check import Expectation
from rackwright.model.verdict import Finding, Outcome

MATTERS = {
    "share": ("peers.warn_share", "policy.floor_share"),
    "kelvin": ("peers.warn_kelvin", "peers.fail_kelvin"),
    "count": ("peers.warn_count", "peers.fail_count"),
}
"""Metrics of how much a difference must be to matter, by what it is measured in: degraded, failed."""


Fleet = Sequence[tuple[Expectation, Readings | Sequence[Reading]]]
"""Nodes with what is compared of them: columns, where there are many nodes."""


def beside(fleet: Fleet, claim: Claim) -> dict[str, Finding]:
    """A finding for every node of `fleet`.

    Fail or degraded for a part that stands out; inconclusive for a node with a missing reading, or without limits; not_run for
    one whose parts have too few peers.
    """
    peers = [(one, own if isinstance(own, Readings) else packed(own)) for one, own in fleet]
    names = [one.node.name for one, _ in peers]
    found = _bounds(peers[0][0], claim) if peers else None
    if found is None:
        return judge_once(peers, names, lambda one, _: no_limit(one, f"peers reading {claim.reading}"))
    bounds, source = found
    whole = standing(peers, bounds)
    keys = [passes or name for passes, name in zip(whole.passing, names, strict=True)]
    return judge_once(peers, keys, lambda one, own: _judged(one, list(own.each()), whole, source))


def _bounds(expectation: Expectation, claim: Claim) -> tuple[Bounds, str] | None:
    """The bounds and where the rate of false alarms comes from."""
    names = ("peers.fewest", "peers.false_alarms", *MATTERS[claim.by])
    rows = [limit(expectation, name, reading=claim.reading) for name in names]
    found = [row for row in rows if row is not None]
    if len(found) < len(rows):
        return None
    fewest, alarms, *matters = found
    warn, fail = (1 - number(one) if claim.by == "share" else number(one) for one in matters)
    return Bounds(claim, int(number(fewest)), number(alarms), warn, fail), limit_source(alarms)


@dataclass(frozen=True)
class _Compared:
    """A reading with peers."""

    reading: Reading
    value: float
    peers: Spread
    outcome: Outcome
    difference: float


def _judged(expectation: Expectation, readings: Sequence[Reading], whole: Standing, source: str) -> Finding:
    compared: list[_Compared] = []
    alone: list[str] = []
    for one in readings:
        peers = whole.spread(expectation, one)
        if one.value is not None and peers is not None:
            compared.append(_Compared(one, one.value, peers, *whole.outcome(one.value, peers)))
        elif one.value is not None:
            alone.append(one.part)
    missing = [one.part for one in readings if one.value is None]
    there = dict.fromkeys(place for one in readings if whole.odd for place in places(expectation, one))
    odd_places = [(place, whole.odd[place]) for place in there if place in whole.odd]
    outcomes = {one.outcome for one in compared} | {odd.outcome for _, odd in odd_places}
    claim = whole.bounds.claim
    told = [_stands_out(one, claim) for one in compared if one.outcome != Outcome.PASS]
    told += [
        f"{kind} {name} as a whole stands out among {odd.count} by {_amount(odd.difference, claim)}"
        for (kind, name), odd in odd_places
    ]
    if missing or not readings:
        told.append(f"no reading of {', '.join(missing)}" if missing else "nothing to read")
    if alone:
        told.append(f"{', '.join(alone)} compared with nothing: fewer than {whole.bounds.fewest} like it were read")
    outcome = _outcome(outcomes, unread=bool(missing or not readings), alone=bool(alone))
    return _said(expectation, outcome, told, compared, whole.bounds, source)


def _outcome(outcomes: set[Outcome], *, unread: bool, alone: bool) -> Outcome:
    if Outcome.FAIL in outcomes:
        return Outcome.FAIL
    if unread:
        return Outcome.INCONCLUSIVE
    if Outcome.DEGRADED in outcomes:
        return Outcome.DEGRADED
    return Outcome.NOT_RUN if alone else Outcome.PASS


def _stands_out(one: _Compared, claim: Claim) -> str:
    side = "above" if claim.high else "below"
    return (
        f"{one.reading.part}: {one.value:.4g} {claim.unit}, {_amount(one.difference, claim)} {side} the median "
        f"{one.peers.middle:.4g} of {one.peers.count} peers"
    )


def _amount(difference: float, claim: Claim) -> str:
    return f"{difference:.1%}" if claim.by == "share" else f"{difference:.4g} {claim.unit}"


def _said(
    expectation: Expectation,
    outcome: Outcome,
    told: Sequence[str],
    compared: Sequence[_Compared],
    bounds: Bounds,
    source: str,
) -> Finding:
    claim = bounds.claim
    worst = max(compared, key=lambda one: one.difference, default=None)
    side = "above" if claim.high else "below"
    expected = (
        f"at most {_amount(bounds.warn, claim)} {side} its peers, or as much as chance explains "
        f"(false alarm in {bounds.alarms:.0%} of healthy fleets)"
    )
    observed = "; ".join(told)
    if not told and worst is not None:
        observed = f"{worst.value:.4g} {claim.unit} ({worst.reading.part}), median of {worst.peers.count} peers {worst.peers.middle:.4g}"
    said = finding(expectation, outcome, what=claim.what, observed=observed, expected=expected, source=source)
    if worst is None:
        return said
    return said.model_copy(update={"value": worst.value, "unit": claim.unit, "limit": worst.peers.middle})
