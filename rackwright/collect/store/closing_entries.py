"""Entries of runs that are not answers of machines, but decisions: the result of an isolation, a repair.

They are part of the hash chain of their run, as answers are. Only runs of their purpose are read, and only if their
chain is unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from rackwright.base.errors import Problem, ProblemsError
from rackwright.collect.store import hash_chain
from rackwright.collect.store.recording import Store
from rackwright.collect.store.tampering import chain_problems

ISOLATION, REPAIR = "isolation", "repair"
"""Kinds of entries."""
PURPOSES = {ISOLATION: "group", REPAIR: REPAIR}
"""Kind -> the purpose of the runs that hold such an entry."""


def closing_entries(store: Store, kind: str, runs: Iterable[str]) -> list[tuple[str, hash_chain.Entry]]:
    """The entries of `kind` in `runs`, each with the path of its run, in the order of the runs.

    Raises ProblemsError for runs of that purpose whose chain was changed.
    """
    entries: list[tuple[str, hash_chain.Entry]] = []
    problems: list[Problem] = []
    for run in runs:
        if not is_for(store, run, PURPOSES[kind]):
            continue
        content = store.content(run)
        if hash_chain.proven(content):
            entries += [(str(store.path(run)), entry) for entry in _of_kind(content, kind)]
        else:
            problems += chain_problems(store, run, hash_chain.read(content))
    if problems:
        raise ProblemsError(problems)
    return entries


def is_for(store: Store, run: str, purpose: str) -> bool:
    """Whether a run exists and was for `purpose`.

    The first entry of a large site has megabytes, so it is not parsed.
    """
    if not store.path(run).exists():
        return False
    with store.open(run) as file:
        return _field("purpose", purpose) in file.readline()


def seal_repair(store: Store, header: Mapping[str, Any], event: Mapping[str, Any], now: datetime) -> None:
    """Store the repair of a part as a separate run."""
    with store.begin({**header, "purpose": PURPOSES[REPAIR], "owed": {}, "adapters": {}}, now) as recording:
        recording.note({"kind": REPAIR, "event": dict(event)})


def _of_kind(content: bytes, kind: str) -> Iterator[hash_chain.Entry]:
    mark = _field("kind", kind)
    for line in content[: content.rfind(b"\n") + 1].splitlines():
        if mark in line and (entry := json.loads(line)).get("kind") == kind:
            yield entry


def _field(name: str, value: str) -> bytes:
    """A field as it is spelled in a line.

    Quotation marks in JSON strings are escaped, so no text of a node can imitate it.
    """
    return f'"{name}":"{value}"'.encode()
