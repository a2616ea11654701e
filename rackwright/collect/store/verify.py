"""Verifies the evidence: chains unbroken, all runs present, raw outputs unchanged, and records equal to those parsed
from raw outputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rackwright.base.errors import Problem, ProblemsError
from rackwright.collect import collector
from rackwright.collect.store import record_cache
from rackwright.collect.store import runs as stored
from rackwright.collect.store.hash_chain import Entry
from rackwright.collect.store.recording import OUTPUT, Store
from rackwright.collect.store.tampering import chain_problems, problem


def verify(store: Store) -> list[Problem]:
    """Problems for everything that was changed, removed or added in any run, sorted by place."""
    runs = store.runs()
    problems = [changed for run in runs for changed in verify_run(store, run)]
    problems += unlinked(store, runs)
    if runs and (before := store.first(runs[0]).get("after_run")):
        problems.append(problem(store, runs[0], 1, f"the run {before} before it was removed"))
    return sorted(problems)


def unlinked(store: Store, runs: Sequence[str]) -> Iterator[Problem]:
    """Problems between `runs`, oldest first: the first entry of each run names the run before it, and an entry of that.

    Runs before the oldest one may have been archived. Only beginnings and ends are read, unless a run began before
    another was over.
    """
    for before, run in pairwise(runs):
        first = store.first(run)
        named_run, stated_hash = first.get("after_run", ""), first.get("after_hash", "")
        if named_run and named_run not in runs:
            yield problem(store, run, 1, f"the run {named_run} before it was removed")
        elif named_run != before:
            yield problem(store, run, 1, f"it was not begun after {before}, the run before it: one of them was added")
        elif stated_hash != store.head(before) and stated_hash not in {
            entry["hash"] for entry in store.index(before).entries
        }:
            yield problem(store, run, 1, f"the run {before} before it was cut short or written anew")


def verify_run(store: Store, run: str) -> list[Problem]:
    """The problems of one run. A run that was cut off by a crash is valid as far as it goes."""
    index = store.index(run)
    problems = chain_problems(store, run, index)
    for line, entry in enumerate(index.entries, start=1):
        problems += [problem(store, run, line, sentence) for sentence in _changed_objects(store, entry)]
    if problems:
        return problems
    try:
        read = stored.run(store, run)
        differences = list(record_cache.changed_tables(store, read, collector.library()))
    except ProblemsError as error:
        return list(error.problems)
    return [problem(store, run, record_cache.line(read), difference) for difference in differences]


def _changed_objects(store: Store, entry: Entry) -> Iterator[str]:
    try:
        names = objects(entry)
    except ValueError as error:
        yield str(error)
        return
    for name in names:
        try:
            store.objects.get(name)
        except ValueError as error:
            yield str(error)


def objects(entry: Entry) -> list[str]:
    """Hashes of all objects that an entry names: raw outputs, tables of records.

    ValueError for a malformed entry of tables.
    """
    if entry.get("kind") == OUTPUT:
        return [str(entry.get(stream)) for stream in ("stdout", "stderr")]
    return list(record_cache.named_tables(entry).values()) if entry.get("kind") == record_cache.TABLES else []
