"""Whether the evidence is what was written: chains unbroken, runs all there, raw outputs unchanged.

In: a store. Out: a `Problem` for everything that is not as it was written; nothing when all of it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.collect.chain import Entry, Index
from rackwright.collect.store import BEGIN, END, OUTPUT, Store
from rackwright.errors import Problem


def verify(store: Store) -> list[Problem]:
    """Everything that was changed, removed or added in any run, sorted by place."""
    known = store.runs()
    found = [one for run in known for one in verify_run(store, run)]
    found += [one for run in known for one in _predecessor(store, run)]
    return sorted(found)


def verify_run(store: Store, run: str) -> list[Problem]:
    """The same for one run. A run that was cut off by a crash is whole as far as it goes."""
    index = store.index(run)
    found = chain_problems(store, run, index)
    for line, entry in enumerate(index.entries, start=1):
        found += [problem(store, run, line, sentence) for sentence in _changed(store, entry)]
    return found


def chain_problems(store: Store, run: str, index: Index) -> list[Problem]:
    """What is wrong with the entries of a run; raw outputs are not opened."""
    found = [problem(store, run, line, sentence) for line, sentence in index.broken]
    if not index.entries or index.entries[0].get("kind") != BEGIN or index.entries[0].get("run") != run:
        found.append(problem(store, run, 1, "the run does not begin with its own first entry"))
    ends = [line for line, entry in enumerate(index.entries, start=1) if entry.get("kind") == END]
    late = [line for line in ends if line != len(index.entries)]
    return found + [problem(store, run, line, "entries were added after the end of the run") for line in late]


def _changed(store: Store, entry: Entry) -> Iterator[str]:
    if entry.get("kind") != OUTPUT:
        return
    for name in ("stdout", "stderr"):
        try:
            store.objects.get(str(entry.get(name)))
        except ValueError as error:
            yield str(error)


def _predecessor(store: Store, run: str) -> Iterator[Problem]:
    """The first entry of every run names an entry of the run before: that one must still be there."""
    entries = store.index(run).entries
    before = str(entries[0].get("after_run", "")) if entries else ""
    if not before:
        return
    if before not in store.runs():
        yield problem(store, run, 1, f"the run {before} before it was removed")
    elif entries[0].get("after_hash") not in {entry["hash"] for entry in store.index(before).entries}:
        yield problem(store, run, 1, f"the run {before} before it was cut short or written anew")


def problem(store: Store, run: str, line: int, sentence: str) -> Problem:
    """What is said of a line that is not as it was written."""
    return Problem(
        place=f"{store.path(run)}:{line}",
        path="",
        message=sentence,
        expected="evidence as it was written",
        found="something else",
        next_step="do not judge from it: find out who changed it, and collect again",
        code="evidence.changed",
    )
