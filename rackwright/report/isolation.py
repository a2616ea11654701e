"""The last search for what is faulty, per fabric, as the report shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rackwright.model.base import Record
from rackwright.model.isolation import Blamed, Isolated
from rackwright.report import words

KINDS = {"nvlink": "NVLink of", "pair": "pair of nodes"}
"""Kinds of parts in words of the report; the others are words already."""


class FaultLine(Record):
    """One part that is faulty."""

    part: str
    """Kind and name; several names where no reading tells them apart."""
    node: str
    """Empty for what nodes share."""
    certain: str


class IsolationCard(Record):
    """One search."""

    fabric: str
    run: str
    taken: str
    """ISO time of its end."""
    headline: str
    found: list[FaultLine]
    doubts: list[str]
    """What it did not settle; one sentence each."""


def cards(results: Iterable[Isolated]) -> list[IsolationCard]:
    """The newest search of every fabric, by fabric."""
    newest: dict[str, Isolated] = {}
    for one in sorted(results, key=lambda one: one.taken):
        newest[one.fabric] = one
    return [_card(one) for _, one in sorted(newest.items())]


def _card(one: Isolated) -> IsolationCard:
    return IsolationCard(
        fabric=one.fabric,
        run=one.run,
        taken=one.taken,
        headline=_headline(one),
        found=[FaultLine(part=_part(part), node=part.node, certain=f"{part.probability:.0%}") for part in one.found],
        doubts=list(_doubts(one)),
    )


def _headline(one: Isolated) -> str:
    what = (
        f"{len(one.found)} faulty part{'s' if len(one.found) != 1 else ''} found"
        if one.found
        else "Nothing faulty found"
    )
    price = f" in {one.tests:,} tests of {one.rounds:,} rounds" if one.tests else ""
    ended = "" if one.complete else "; it ended before it was finished"
    return f"{what}{price}, {len(one.cleared):,} node{'s' if len(one.cleared) != 1 else ''} cleared{ended}."


def _doubts(one: Isolated) -> Iterator[str]:
    if one.unsettled:
        yield f"Neither cleared nor blamed: {words.several(one.unsettled)}."
    if one.uncovered:
        yield f"Not exercised twice with different partners, so that nothing is said of them: {words.several(one.uncovered)}."


def _part(part: Blamed) -> str:
    names = part.names[0] if len(part.names) == 1 else f"one of {words.several(part.names)}"
    return f"{KINDS.get(part.kind, part.kind)} {names}"
