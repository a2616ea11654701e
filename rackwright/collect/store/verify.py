"""Whether the evidence is what was written: chains unbroken, runs all there, raw outputs unchanged, and records what these say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rackwright.base.errors import Problem
from rackwright.collect import collector
from rackwright.collect.store import record_cache
from rackwright.collect.store import runs as stored
from rackwright.collect.store.hash_chain import Entry
from rackwright.collect.store.recording import OUTPUT, Store
from rackwright.collect.store.tampering import chain_problems, problem


def verify(store: Store) -> list[Problem]:
    """Everything that was changed, removed or added in any run, sorted by place."""
    known = store.runs()
    found = [one for run in known for one in verify_run(store, run)]
    found += unlinked(store, known)
    if known and (before := store.first(known[0]).get("after_run")):
        found.append(problem(store, known[0], 1, f"the run {before} before it was removed"))
    return sorted(found)


def unlinked(store: Store, runs: Sequence[str]) -> Iterator[Problem]:
    """What is wrong between `runs`, oldest first: the first entry of each one names the run before it, and an entry of that.

    What came before all of them may have been put away. Only beginnings and ends are read, unless a run began before another was over.
    """
    for before, run in pairwise(runs):
        first = store.first(run)
        named, told = first.get("after_run", ""), first.get("after_hash", "")
        if named and named not in runs:
            yield problem(store, run, 1, f"the run {named} before it was removed")
        elif named != before:
            yield problem(store, run, 1, f"it was not begun after {before}, the run before it: one of them was added")
        elif told != store.head(before) and told not in {entry["hash"] for entry in store.index(before).entries}:
            yield problem(store, run, 1, f"the run {before} before it was cut short or written anew")


def verify_run(store: Store, run: str) -> list[Problem]:
    """The same for one run. A run that was cut off by a crash is whole as far as it goes."""
    index = store.index(run)
    found = chain_problems(store, run, index)
    for line, entry in enumerate(index.entries, start=1):
        found += [problem(store, run, line, sentence) for sentence in _changed(store, entry)]
    if not found:
        read = stored.run(store, run)
        found = [
            problem(store, run, record_cache.line(read), one)
            for one in record_cache.wrong(store, read, collector.library())
        ]
    return found


def _changed(store: Store, entry: Entry) -> Iterator[str]:
    for name in objects(entry):
        try:
            store.objects.get(name)
        except ValueError as error:
            yield str(error)


def objects(entry: Entry) -> list[str]:
    """Hashes of everything beside the index that an entry names: raw outputs, tables of records."""
    if entry.get("kind") == OUTPUT:
        return [str(entry.get(one)) for one in ("stdout", "stderr")]
    return list(entry["tables"].values()) if entry.get("kind") == record_cache.TABLES else []
