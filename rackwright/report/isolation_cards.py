"""The latest isolation of every fabric, for the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rackwright.model.base import Record
from rackwright.model.isolation import Blamed, Isolated
from rackwright.report import finding_text

KINDS = {"nvlink": "NVLink of", "pair": "pair of nodes"}
"""Kinds of parts as the report prints them, where the kind is not a plain word."""


class FaultLine(Record):
    """One faulty part."""

    part: str
    """Kind and name; several names if no reading distinguishes them."""
    node: str
    """Empty for parts that nodes share."""
    certain: str


class IsolationCard(Record):
    """One isolation."""

    fabric: str
    run: str
    taken: str
    """ISO time of its end."""
    headline: str
    faulty: list[FaultLine]
    doubts: list[str]
    """Open questions; one sentence each."""


def cards(results: Iterable[Isolated]) -> list[IsolationCard]:
    """The newest isolation of every fabric, by fabric."""
    newest: dict[str, Isolated] = {}
    for result in sorted(results, key=lambda result: result.taken):
        newest[result.fabric] = result
    return [_card(result) for _, result in sorted(newest.items())]


def _card(result: Isolated) -> IsolationCard:
    return IsolationCard(
        fabric=result.fabric,
        run=result.run,
        taken=result.taken,
        headline=_headline(result),
        faulty=[
            FaultLine(part=_part(part), node=part.node, certain=f"{part.probability:.0%}") for part in result.found
        ],
        doubts=list(_doubts(result)),
    )


def _headline(result: Isolated) -> str:
    what = (
        f"{len(result.found)} faulty part{'s' if len(result.found) != 1 else ''} found"
        if result.found
        else "Nothing faulty found"
    )
    price = f" in {result.tests:,} tests of {result.rounds:,} rounds" if result.tests else ""
    ended = "" if result.complete else "; it ended before it was finished"
    return f"{what}{price}, {len(result.cleared):,} node{'s' if len(result.cleared) != 1 else ''} cleared{ended}."


def _doubts(result: Isolated) -> Iterator[str]:
    if result.unsettled:
        yield f"Neither cleared nor blamed: {finding_text.names_text(result.unsettled)}."
    if result.uncovered:
        yield f"Not exercised twice with different partners, so that nothing is known of them: {finding_text.names_text(result.uncovered)}."


def _part(part: Blamed) -> str:
    names = part.names[0] if len(part.names) == 1 else f"one of {finding_text.names_text(part.names)}"
    return f"{KINDS.get(part.kind, part.kind)} {names}"
