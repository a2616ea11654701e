"""Runs as they lie in the store, proven to be what was written, before any raw output is opened.

In: a store. Out: `Run`s. Split from `load` because choosing among runs needs their entries and none of their bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from rackwright.collect.chain import Entry, intact
from rackwright.collect.store import END, OUTPUT, Store
from rackwright.collect.verify import chain_problems
from rackwright.errors import ProblemsError

SEAL = ("hash", "previous")


@dataclass(frozen=True)
class Run:
    """One run of the store."""

    name: str
    kind: str
    """What it was for: ``state`` of machines, ``load`` on single nodes, ``group``: tests over several nodes."""
    taken: str
    """ISO time in UTC at which it began."""
    owed: Mapping[str, tuple[str, ...]]
    """By node: ids of the collectors that owe it a record."""
    adapters: Mapping[str, Mapping[str, str]]
    """By node: InfiniBand adapter -> the fabric that the design plugs it into."""
    outputs: tuple[tuple[int, Entry], ...]
    """Line of the index and entry of every answer, in the order in which they came."""
    complete: bool = False
    """False when it was cut off by a crash."""
    old: bool = False
    """True when only its first entry was read, because its answers are too old to count."""


def counting(store: Store, oldest: datetime | None) -> list[Run]:
    """The runs that evidence can depend on, newest first.

    A run is left out when complete newer ones asked all that it asked; one that began before `oldest` is known by its first
    entry alone. So a store of years costs what its newest runs cost. Raises what `run` raises.
    """
    runs: list[Run] = []
    covered: set[tuple[str, str]] = set()
    for name in reversed(store.runs()):
        first = store.first(name)
        brief = _run(first, name) if intact(first) else run(store, name)
        parts = _parts(brief)
        if runs and parts <= covered:
            continue
        if oldest is not None and datetime.fromisoformat(brief.taken) < oldest:
            runs.append(brief)
            covered |= parts
            continue
        runs.append(run(store, name))
        covered |= parts if runs[-1].complete else set()
    return runs


def _parts(one: Run) -> set[tuple[str, str]]:
    """What a run asked of each node: its state as a whole, or single tests."""
    if one.kind == "state":
        return {(node, "state") for node in one.owed}
    return {(node, f"{one.kind} {test}") for node, tests in one.owed.items() for test in tests}


def run(store: Store, name: str) -> Run:
    """The run, whose chain is whole; a run that was cut off by a crash is whole as far as it goes.

    ProblemsError when it is not what was written; OutsideError when there is no such run.
    """
    index = store.index(name)
    problems = chain_problems(store, name, index)
    if problems:
        raise ProblemsError(problems)
    words: dict[Any, Any] = {}
    outputs = tuple(
        (line, _brief(one, words)) for line, one in enumerate(index.entries, start=1) if one.get("kind") == OUTPUT
    )
    complete = index.entries[-1].get("kind") == END
    return replace(_run(index.entries[0], name), outputs=outputs, complete=complete, old=False)


def _brief(entry: Entry, words: dict[Any, Any]) -> Entry:
    """An entry without its seal, which was proven; `words` keeps each name and hash once. A large site has half a million entries."""
    return {
        name: words.setdefault(value, value) if isinstance(value, str) else value
        for name, value in entry.items()
        if name not in SEAL
    }


def _run(first: Entry, name: str) -> Run:
    """A run by its first entry alone."""
    return Run(
        name=name,
        kind=str(first.get("purpose", "state")),
        taken=str(first.get("taken", "")),
        owed={node: tuple(owes) for node, owes in first.get("owed", {}).items()},
        adapters=first.get("adapters", {}),
        outputs=(),
        old=True,
    )
