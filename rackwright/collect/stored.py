"""Runs as they lie in the store, proven to be what was written, before any raw output is opened.

In: a store. Out: `Run`s. Split from `load` because choosing among runs needs their entries and none of their bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rackwright.collect.chain import Entry
from rackwright.collect.store import OUTPUT, Store
from rackwright.collect.verify import chain_problems
from rackwright.errors import ProblemsError


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


def run(store: Store, name: str) -> Run:
    """The run, whose chain is whole; a run that was cut off by a crash is whole as far as it goes.

    ProblemsError when it is not what was written; OutsideError when there is no such run.
    """
    index = store.index(name)
    problems = chain_problems(store, name, index)
    if problems:
        raise ProblemsError(problems)
    first = index.entries[0]
    return Run(
        name=name,
        kind=str(first.get("purpose", "state")),
        taken=str(first["taken"]),
        owed={node: tuple(owes) for node, owes in first["owed"].items()},
        adapters=first["adapters"],
        outputs=tuple((line, one) for line, one in enumerate(index.entries, start=1) if one.get("kind") == OUTPUT),
    )
