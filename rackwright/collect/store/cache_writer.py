"""The pages of a run: what the parsers made of its answers, kept beside the raw bytes when it ends.

A page counts only while the parsers are those
that wrote it (`parsers.fingerprint`); otherwise, and for whatever has no page, raw outputs are parsed again. `verify` writes pages
anew from raw outputs and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import polars as pl

from rackwright.collect.collector import Collectors
from rackwright.collect.store import cache_format, newest, runs
from rackwright.collect.store.hash_chain import digest
from rackwright.collect.store.parser_fingerprint import fingerprint
from rackwright.collect.store.recording import Recording, Store
from rackwright.collect.store.single_node import Answered

PAGES = "pages"
"""Kind of the entry that names them."""
NODES = 64
"""On one page: enough to share what they have in common, few enough to be read for the sake of one of them."""


def keep(
    store: Store,
    recording: Recording,
    collectors: Collectors,
    on_page: Callable[[list[str]], None] = lambda _nodes: None,
) -> None:
    """Write the pages of a run all of whose answers are stored, and name them in it; `on_page` is told whose answers were read.

    ProblemsError when raw bytes are not what was written.
    """
    run = runs.run(store, recording.run)
    pages = {}
    for nodes, content in written_anew(store, run, _cut(list(run.owed)), collectors):
        if content is not None:
            pages[store.objects.put(content, level=0)] = nodes
        on_page(nodes)
    recording.note({"kind": PAGES, "parsers": fingerprint(), "pages": pages})


def written_anew(
    store: Store, run: runs.Run, pages: Iterable[list[str]], collectors: Collectors
) -> Iterator[tuple[list[str], bytes | None]]:
    """The nodes of each page, and the page itself from raw outputs; None when something on it cannot be written."""
    answers = own(newest.newest([run], collectors).answers, collectors).sort("node", maintain_order=True)
    answered = Answered(store, [run], answers, collectors)
    for nodes in pages:
        try:
            yield nodes, cache_format.write(nodes, answered.of(nodes), collectors)
        except ValueError:  # a word that no JSON can hold: these nodes have no page, and are parsed again
            yield nodes, None


def own(answers: pl.DataFrame, collectors: Collectors) -> pl.DataFrame:
    """Those of `answers` that pages hold."""
    return answers.filter(
        pl.col("collector").is_in([name for name, one in collectors.items() if cache_format.kept(one)])
    )


def _cut(nodes: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(nodes), NODES):
        yield nodes[start : start + NODES]


def of(store: Store, run: str) -> dict[str, list[str]]:
    """By page of `run`: the nodes on it; nothing when other parsers wrote them, or nobody did. Its chain is not looked at."""
    entry = next((one for one in store.ending(run) if one.get("kind") == PAGES), {})
    pages: dict[str, list[str]] = entry["pages"] if entry.get("parsers") == fingerprint() else {}
    return pages


def wrong(store: Store, run: runs.Run, collectors: Collectors) -> Iterator[str]:
    """A sentence for every page of `run` that does not say what its raw outputs say. ProblemsError when those were changed."""
    pages = of(store, run.name)
    for name, (nodes, content) in zip(pages, written_anew(store, run, pages.values(), collectors), strict=True):
        if content is None or digest(content) != name:
            yield f"the records that are kept of {nodes[0]} to {nodes[-1]} are not those of their raw outputs"


def line(run: runs.Run) -> int:
    """Where the entry of the pages stands in the index of a run that has them: after the last answer."""
    last: Any = run.answers["line"].max()
    return int(last or 1) + 1
