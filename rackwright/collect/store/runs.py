"""Runs of the store, checked to be unchanged before any raw output is opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

import polars as pl

from rackwright.base.errors import ProblemsError
from rackwright.collect.store import hash_chain
from rackwright.collect.store.chain_check import Proofs
from rackwright.collect.store.hash_chain import Entry
from rackwright.collect.store.recording import BEGIN, END, OUTPUT, Store
from rackwright.collect.store.run_header import read_header
from rackwright.collect.store.tampering import chain_problems, problem

ANSWERS: dict[str, Any] = {
    "line": pl.Int64,
    "node": pl.String,
    "collector": pl.String,
    "subject": pl.String,
    "stdout": pl.String,
    "stderr": pl.String,
    "rc": pl.Int64,
    "error": pl.String,
    "nodes": pl.List(pl.String),
    "boots": pl.List(pl.String),
}
"""Columns of the table of answers, one row per line of the index.

It is a table because a large site has half a million answers.
"""
NOT_ALWAYS = {"rc", "nodes", "boots"}
"""Fields that an answer may lack."""


@dataclass(frozen=True)
class StoredRun:
    """One run of the store."""

    name: str
    kind: str
    """Purpose: ``state`` of machines, ``load`` on single nodes, ``group``: tests over several nodes."""
    taken_at: str
    """ISO time in UTC at which it began."""
    owed: Mapping[str, tuple[str, ...]]
    """Node -> ids of the collectors that owe it a record."""
    adapters: Mapping[str, Mapping[str, str]]
    """Node -> its InfiniBand adapters, each with the fabric that the design plugs it into."""
    designs: Mapping[str, str]
    """Node -> hash of its part of the design (`plan.node_digest`); empty for older runs."""
    answers: pl.DataFrame
    """A row of `ANSWERS` for every answer, in the order of arrival."""
    complete: bool = False
    """False if it was cut off by a crash."""
    old: bool = False
    """True if only its first entry was read, because its answers are too old to count."""


def counting(store: Store, oldest: datetime | None, proofs: Proofs) -> list[StoredRun]:
    """The runs that evidence can depend on, newest first. They count only after `proofs` has passed.

    A run is omitted if complete newer ones asked all its questions; for one that began before `oldest` only the first
    entry is read. So a store of years costs no more than its newest runs. Raises what `run` raises.
    """
    runs: list[StoredRun] = []
    covered: set[tuple[str, str]] = set()
    for name in reversed(store.runs()):
        begin = _begin(store, name)
        brief = _run(store, begin.entry, name) if begin.entry else run(store, name)
        parts = _parts(brief)
        if runs and parts <= covered:
            continue
        if oldest is not None and datetime.fromisoformat(brief.taken_at) < oldest:
            runs.append(brief)
            covered |= parts
            continue
        runs.append(_read(store, name, begin, proofs))
        covered |= parts if runs[-1].complete else set()
    return runs


def before_tests(store: Store, runs: Sequence[StoredRun], proofs: Proofs) -> list[StoredRun]:
    """Runs of the state of machines that `counting` omits, but that describe the nodes at the time of tests among
    `runs`.

    They count only after `proofs` has passed. Raises what `run` raises.
    """
    stated = [run for run in runs if run.kind == "state" and not run.old]
    earlier: dict[str, StoredRun] = {}
    for test in (run for run in runs if run.kind != "state" and not run.old):
        nodes = {node for run in stated if run.name > test.name for node in run.owed} & set(test.owed)
        nodes -= {node for run in stated if run.name < test.name for node in run.owed}
        for name in (name for name in reversed(store.runs()) if name < test.name):
            if not nodes:
                break
            begin = _begin(store, name)
            brief = _run(store, begin.entry, name) if begin.entry else None
            if brief and brief.kind == "state" and nodes & set(brief.owed):
                if name not in earlier:
                    earlier[name] = _read(store, name, begin, proofs)
                nodes -= set(brief.owed)
    return list(earlier.values())


class _Begin(NamedTuple):
    """The first line of an index file, and its entry; without an entry if it was changed."""

    line: bytes = b""
    entry: Entry = {}


def _begin(store: Store, name: str) -> _Begin:
    """The beginning of a run, without reading the rest."""
    if not store.path(name).exists():  # removed meanwhile: reading it reports that
        return _Begin()
    with store.open(name) as file:
        line = file.readline()
    chain = hash_chain.read(line)
    return _Begin(line, chain.entries[0]) if chain.entries and not chain.broken else _Begin()


def _parts(described: StoredRun) -> set[tuple[str, str]]:
    """The questions of a run to each node: its state as a whole, or single tests."""
    if described.kind == "state":
        return {(node, "state") for node in described.owed}
    return {(node, f"{described.kind} {test}") for node, tests in described.owed.items() for test in tests}


def run(store: Store, name: str) -> StoredRun:
    """The run, with its chain checked; a run that was cut off by a crash is valid as far as it goes.

    ProblemsError if it was changed; OutsideError if there is no such run.
    """
    with Proofs(store) as proofs:
        return _read(store, name, _Begin(), proofs)


def _read(store: Store, name: str, beginning: _Begin, proofs: Proofs) -> StoredRun:
    """The run as stored, while `proofs` checks that it is unchanged; `beginning` is its first line, if that was already
    read.
    """
    content = store.content(name)
    proofs.begin(name, content)
    try:
        lines = _lines(content)
    except pl.exceptions.PolarsError as error:  # sealed, and yet no entry of an evidence store
        raise ProblemsError([problem(store, name, 1, f"an entry cannot be read: {error}")]) from None
    ends = lines.filter(pl.col("kind") == END)["line"].to_list()
    same = beginning.entry and content.startswith(beginning.line)
    begin = beginning.entry if same else hash_chain.read(content[: content.index(b"\n") + 1]).entries[0]
    if begin.get("kind") != BEGIN or begin.get("run") != name or any(line != lines.height for line in ends):
        raise ProblemsError(chain_problems(store, name, hash_chain.read(content)))
    answers = lines.filter(pl.col("kind") == OUTPUT).select(*ANSWERS)
    for line, column in _gaps(answers):
        raise ProblemsError([problem(store, name, line, f"an answer without {column}")])
    return replace(_run(store, begin, name), answers=answers, complete=bool(ends), old=False)


def _lines(content: bytes) -> pl.DataFrame:
    """Every complete line of an index as a row of `ANSWERS` with its kind; the first line, which is no answer, has only
    its kind.
    """
    first, end = content.index(b"\n") + 1, content.rfind(b"\n") + 1
    schema = {"kind": pl.String, **{name: kind for name, kind in ANSWERS.items() if name != "line"}}
    begin = pl.DataFrame({"kind": [BEGIN]}, schema={"kind": pl.String})
    entries = pl.read_ndjson(content[first:end], schema=schema) if end > first else pl.DataFrame(schema=schema)
    return pl.concat([begin, entries], how="diagonal").with_row_index("line", 1).cast({"line": pl.Int64})


def _gaps(answers: pl.DataFrame) -> Iterator[tuple[int, str]]:
    """Line and name of each required field that an answer lacks."""
    for column in set(ANSWERS) - NOT_ALWAYS:
        if answers[column].null_count():
            yield int(answers.filter(pl.col(column).is_null())["line"][0]), column


def _run(store: Store, first: Entry, name: str) -> StoredRun:
    """A run built from its first entry alone. ProblemsError if it is malformed."""
    header = read_header(store, name, first)
    return StoredRun(
        name=name,
        kind=header.purpose,
        taken_at=header.taken,
        owed={node: tuple(owes) for node, owes in header.owed.items()},
        adapters=header.adapters,
        designs=header.designs,
        answers=pl.DataFrame(schema=ANSWERS),
        old=True,
    )
