"""Whether the evidence is what was written: chains unbroken, runs all there, raw outputs unchanged, and records what these say.

In: a store. Out: a `Problem` for everything that is not as it was written; nothing when all of it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.collect import collector, pages, stored
from rackwright.collect.chain import Entry
from rackwright.collect.changed import chain_problems, problem
from rackwright.collect.store import OUTPUT, Store
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
    if not found:
        read = stored.run(store, run)
        found = [problem(store, run, pages.line(read), one) for one in pages.wrong(store, read, collector.library())]
    return found


def _changed(store: Store, entry: Entry) -> Iterator[str]:
    for name in objects(entry):
        try:
            store.objects.get(name)
        except ValueError as error:
            yield str(error)


def objects(entry: Entry) -> list[str]:
    """Hashes of everything beside the index that an entry names: raw outputs, pages."""
    if entry.get("kind") == OUTPUT:
        return [str(entry.get(one)) for one in ("stdout", "stderr")]
    return list(entry["pages"]) if entry.get("kind") == pages.PAGES else []


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
