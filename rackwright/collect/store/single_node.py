"""The answers of machines about themselves, read from the store for some of them at a time.

Equal raw outputs are parsed once: a healthy fleet answers the same a thousand times.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

import polars as pl

from rackwright.base.errors import Problem, ProblemsError
from rackwright.collect.collector import Collectors
from rackwright.collect.store import runs as stored
from rackwright.collect.store.hash_chain import Entry
from rackwright.collect.store.reading import ParsedAnswer, Seen, reading
from rackwright.collect.store.recording import Store
from rackwright.collect.store.tampering import problem
from rackwright.collect.transports import replay

Content = tuple[str, str, str, int | None]
"""Key of a parsed answer: collector, hashes of both outputs, exit status."""


class Answered:
    """Answers, opened and parsed on demand; a forked process can read a separate part of them."""

    def __init__(
        self, store: Store, runs: Sequence[stored.StoredRun], answers: pl.DataFrame, collectors: Collectors
    ) -> None:
        """`answers` are some of `newest.Choice.answers`; for `of`, the rows of one machine must be adjacent."""
        self._store, self._runs, self._collectors = store, runs, collectors
        often = pl.len().over("collector", "stdout", "stderr", "rc") > 1
        self._answers = answers.with_columns(often=often)
        self._places = _places(self._answers["node"])
        self._known: dict[Content, ParsedAnswer] = {}

    def all(self) -> list[Seen]:
        """Every answer, parsed, in order. ProblemsError as from `of`."""
        return self._read(self._answers.iter_rows(named=True))

    def of(self, nodes: Iterable[str]) -> list[Seen]:
        """The answers of `nodes`, parsed. ProblemsError, for all of them at once, if raw bytes were changed."""
        tables = (self._answers[self._places[node]] for node in nodes if node in self._places)
        rows = [row for some in tables for row in some.iter_rows(named=True)]
        rows.sort(key=itemgetter("collector"))  # one parser after the other: its code stays in the processor's cache
        return self._read(rows)

    def _read(self, entries: Iterable[Entry]) -> list[Seen]:
        readings: list[Seen] = []
        problems: list[tuple[int, int, Problem]] = []
        for entry in entries:
            run = self._runs[entry["run"]]
            try:
                read = self._reading(entry, run.taken_at)
            except ValueError as error:
                changed = problem(self._store, run.name, entry["line"], str(error))
                problems.append((entry["run"], entry["line"], changed))
                continue
            readings.append(
                Seen(entry["node"], entry["collector"], entry["subject"], read, frozenset(entry["members"]))
            )
        if problems:
            raise ProblemsError([problem for *_, problem in sorted(problems)])
        return readings

    def _reading(self, entry: Entry, taken_at: str) -> ParsedAnswer:
        """One answer, parsed. ValueError if its raw bytes were changed."""
        parser = self._collectors[entry["collector"]]
        if entry["error"] or parser.scope == "group" or not entry["often"]:
            return reading(replay.output(self._store, entry), entry["stdout"], parser, taken_at)
        content = entry["collector"], entry["stdout"], entry["stderr"], entry["rc"]
        if content not in self._known:
            self._known[content] = reading(replay.output(self._store, entry), entry["stdout"], parser, taken_at)
        parsed = self._known[content]
        return parsed if parsed.taken_at == taken_at else parsed._replace(taken_at=taken_at)


def _places(nodes: pl.Series) -> dict[str, slice]:
    """Name -> slice of its rows in `nodes`."""
    runs = nodes.rle().struct.unnest().with_columns(end=pl.col("len").cum_sum())
    return {node: slice(end - count, end) for count, node, end in runs.iter_rows()}
