"""The last search for what is faulty, as the report shows it. In: the verdict of ``rackwright isolate`` as plain data. Out: a card. Pure.

Cut off because the search has its own words (screens, explanations, partners) and the reader of a handover asks three things: what is
faulty, what is still open, and how much of the network was exercised.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rackwright.model.base import Record
from rackwright.report import words

KINDS = {"nic": "adapter", "rail": "rail", "nvlink": "NVLink", "pair": "pair of nodes", "switch": "switch"}
"""Kinds of parts in words of the report; the others are words already."""
MANY = {"switch": "switches", "pair of nodes": "pairs of nodes"}


class FaultLine(Record):
    """One part that is faulty."""

    kind: str
    name: str
    """Several names where no reading tells them apart."""
    node: str
    probability: float
    instead: list[str]
    """What else fits, with its probability."""


class CoverLine(Record):
    """How often the parts of one kind were exercised."""

    kind: str
    covered: int
    parts: int
    least_tests: int
    least_partners: int


class Isolation(Record):
    """One search."""

    run: str
    at: str
    """ISO time."""
    fabric: str
    headline: str
    found: list[FaultLine]
    doubts: list[str]
    """What is open, untested, unproven, or did not run; one sentence each."""
    cleared: int
    cover: list[CoverLine]


def card(told: Mapping[str, Any] | None) -> Isolation | None:
    """The card of a search (``run``, ``at``, ``fabric`` and the fields of ``isolate --format json``); None without one."""
    if not told:
        return None
    found = [
        FaultLine(
            kind=_kind(one),
            name=_name(one),
            node=one.get("node") or "",
            probability=float(one["probability"]),
            instead=[f"{_kind(other)} {_name(other)} ({other['probability']:.0%})" for other in one["instead"]],
        )
        for one in told["found"]
    ]
    return Isolation(
        run=str(told.get("run", "")),
        at=str(told.get("at", "")),
        fabric=str(told.get("fabric", "")),
        headline=_headline(found, told),
        found=found,
        doubts=list(_doubts(told)),
        cleared=len(told["cleared"]),
        cover=[
            CoverLine(kind=_many(one["kind"]), **{name: int(one[name]) for name in NUMBERS})
            for one in told["coverage"]["kinds"]
        ],
    )


NUMBERS = ("covered", "parts", "least_tests", "least_partners")


def _headline(found: Sequence[FaultLine], told: Mapping[str, Any]) -> str:
    what = f"{len(found)} faulty part{'s' if len(found) != 1 else ''} found" if found else "Nothing faulty found"
    ended = "" if told["complete"] else "; it ended before it was finished"
    return (
        f"{what} in {told['tests']:,} tests of {told['rounds']} rounds, {len(told['cleared']):,} nodes cleared{ended}."
    )


def _doubts(told: Mapping[str, Any]) -> Iterator[str]:
    for one in told["open"]:
        yield f"{one['node']} is open: faulty with {one['probability']:.0%}"
    if told["untested"]:
        yield f"No test ran on {words.several(told['untested'])}"
    for one in told["not_run"]:
        yield f"A test of {words.several(one['nodes'])} did not run: {one['why'] or 'no reason was given'}"
    for one in told["unproven"]:
        yield f"{_kind(one)} {_name(one)} was always behind something faulty"
    for one in told["explanations"]:
        if one["parts"]:
            parts = " and ".join(f"{_kind(part)} {_name(part)}" for part in one["parts"])
            yield f"Bad readings would fit {parts} ({one['probability']:.0%})"
    for one in told["coverage"]["untested"]:
        yield f"{_kind(one)} {_name(one)} was not exercised twice: {one['why']}"


def _kind(part: Mapping[str, Any]) -> str:
    return KINDS.get(str(part["kind"]), str(part["kind"]))


def _name(part: Mapping[str, Any]) -> str:
    return str(part["name"]) if "name" in part else f"one of {words.several(part['one_of'])}"


def _many(kind: str) -> str:
    word = KINDS.get(kind, kind)
    return MANY.get(word, word if word.endswith("s") else f"{word}s")
