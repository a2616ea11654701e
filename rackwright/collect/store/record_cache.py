"""The cache of parsed records: tables that a run stores beside its raw outputs at its end, and that are read instead of
parsing.

Tables count only if the same parsers wrote them (`parser_fingerprint`); otherwise, and for answers without a row, raw
outputs are parsed again. Raw outputs remain the truth: `verify` builds the tables again from them and compares.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from rackwright.base.errors import ProblemsError
from rackwright.collect.collector import CollectorLibrary, Collectors
from rackwright.collect.store import newest, runs
from rackwright.collect.store.hash_chain import Entry, digest
from rackwright.collect.store.parser_fingerprint import fingerprint
from rackwright.collect.store.reading import ParsedAnswer, Seen
from rackwright.collect.store.record_table import OpenTables, RecordTable, frame, is_cached, parquet
from rackwright.collect.store.recording import Recording, Store
from rackwright.collect.store.single_node import Answered
from rackwright.collect.store.tampering import problem

TABLES = "tables"
"""Kind of the entry that names the tables of a run by collector."""
NODES = 64
"""Nodes that are parsed at a time, and omitted together if one of them cannot be written."""


def keep(
    store: Store,
    recording: Recording,
    library: CollectorLibrary,
    on_nodes: Callable[[list[str]], None] = lambda _nodes: None,
) -> None:
    """Write the tables of a run whose answers are all stored, and add an entry that names them; `on_nodes` gets the
    parsed nodes.

    ProblemsError if raw bytes were changed.
    """
    run = runs.run(store, recording.run)
    contents = tables_anew(store, run, library, on_nodes)
    names = store.objects.put_all(list(contents.values()), level=0)
    tables = dict(zip(contents, names, strict=True))
    recording.note({"kind": TABLES, "parsers": fingerprint(library.roots), "tables": tables})


def tables_anew(
    store: Store,
    run: runs.StoredRun,
    collectors: Collectors,
    on_nodes: Callable[[list[str]], None] = lambda _nodes: None,
) -> dict[str, bytes]:
    """Collector -> the table of `run`, built from raw outputs."""
    answers = cached(newest.newest([run], collectors).answers, collectors).sort("node", maintain_order=True)
    answered = Answered(store, [run], answers, collectors)
    frames: dict[str, list[pl.DataFrame]] = defaultdict(list)
    nodes = list(run.owed)
    for start in range(0, len(nodes), NODES):
        some = nodes[start : start + NODES]
        try:
            new_frames = _frames(some, answered.of(some), collectors)
        except ValueError:  # text that JSON cannot hold: these nodes are parsed again
            new_frames = {}
        for name, rows in new_frames.items():
            frames[name].append(rows)
        on_nodes(some)
    return {name: parquet(chunks) for name, chunks in sorted(frames.items())}


def _frames(nodes: Sequence[str], readings: Iterable[Seen], collectors: Collectors) -> dict[str, pl.DataFrame]:
    """Collector -> the rows of some nodes."""
    by_collector: dict[str, dict[str, ParsedAnswer]] = defaultdict(dict)
    for answer in readings:
        by_collector[answer.collector][answer.machine] = answer.reading
    return {
        name: frame(name, collectors[name], {node: node_readings[node] for node in nodes if node in node_readings})
        for name, node_readings in by_collector.items()
    }


def cached(answers: pl.DataFrame, collectors: Collectors) -> pl.DataFrame:
    """The answers whose records are cached."""
    return answers.filter(pl.col("collector").is_in([name for name, entry in collectors.items() if is_cached(entry)]))


def tables(store: Store, run: str, collectors: Collectors) -> dict[str, str]:
    """Collector -> hash of its table in `run`; empty if other parsers wrote them, or if there are none. The chain is
    not checked here.

    Collectors that are not a `CollectorLibrary` have no tables. ValueError if the entry is malformed.
    """
    if not isinstance(collectors, CollectorLibrary):
        return {}
    entry = next((candidate for candidate in store.ending(run) if candidate.get("kind") == TABLES), {})
    hashes = named_tables(entry) if entry.get("parsers") == fingerprint(collectors.roots) else {}
    return {name: table for name, table in hashes.items() if name in collectors}


def named_tables(entry: Entry) -> dict[str, str]:
    """Collector -> hash of its table. ValueError for a malformed entry."""
    hashes = entry.get("tables")
    if not isinstance(hashes, dict) or not all(isinstance(table, str) for table in hashes.values()):
        raise ValueError("the entry of the tables does not name them")
    return hashes


def changed_tables(store: Store, run: runs.StoredRun, collectors: Collectors) -> Iterator[str]:
    """A sentence for every table of `run` that differs from its raw outputs.

    ProblemsError if the raw outputs were changed.
    """
    stored = tables(store, run.name, collectors)
    anew = tables_anew(store, run, collectors) if stored else {}
    for name in sorted({*stored, *anew}):
        if name not in anew or digest(anew[name]) != stored.get(name):
            yield f"the records that are kept of {name} are not those of their raw outputs"


def line(run: runs.StoredRun) -> int:
    """Number of the line that names the tables, in the index of a run that has them: after the last answer."""
    last: Any = run.answers["line"].max()
    return int(last or 1) + 1


class CachedRecords:
    """The readings of `runs` that count and are in tables. A forked process can read a separate part of them."""

    def __init__(
        self, store: Store, stored: Sequence[runs.StoredRun], answers: pl.DataFrame, collectors: Collectors
    ) -> None:
        """`answers` are the chosen ones. A node is read from the tables of a run if all its answers in that run still
        count.

        ProblemsError if a table was changed.
        """
        self._collectors = collectors
        opened = OpenTables()
        of_runs = ((place, _read(store, run, collectors, opened)) for place, run in enumerate(stored))
        self._tables = {place: run_tables for place, run_tables in of_runs if run_tables}
        self._places: dict[str, list[int]] = defaultdict(list)
        """Node -> the runs from whose tables it is read."""
        chosen = cached(answers, collectors).group_by("run", "node").len()
        for place, run_tables in self._tables.items():
            answered = cached(stored[place].answers, collectors).group_by("node").len()
            complete = set(answered.join(chosen.filter(pl.col("run") == place), on=["node", "len"])["node"])
            for node in complete.intersection(*[{node for table in run_tables for node in table.rows}]):
                self._places[node].append(place)

    def missing(self, answers: pl.DataFrame) -> pl.DataFrame:
        """The answers that are in no table."""
        if not self._places:
            return answers
        parts = [(node, place) for node, places in self._places.items() for place in places]
        cached_nodes = pl.DataFrame(parts, schema={"node": pl.String, "run": answers.schema["run"]}, orient="row")
        cached_answers = (
            cached(answers, self._collectors).join(cached_nodes, on=["node", "run"], how="semi").select("run", "line")
        )
        return answers.join(cached_answers, on=["run", "line"], how="anti", maintain_order="left")

    def of(self, nodes: Iterable[str]) -> list[Seen]:
        """The readings of `nodes` that are in tables."""
        by_run: dict[int, list[str]] = defaultdict(list)
        for node in nodes:
            for place in self._places.get(node, ()):
                by_run[place].append(node)
        return [
            reading
            for place, run_nodes in by_run.items()
            for table in self._tables[place]
            for reading in table.readings(run_nodes)
        ]


def _read(store: Store, run: runs.StoredRun, collectors: Collectors, opened: OpenTables) -> list[RecordTable]:
    """The tables of a run; their sizes are added to `opened`."""

    def refusal(sentence: str) -> ProblemsError:
        return ProblemsError([problem(store, run.name, line(run), sentence)])

    try:
        return [
            RecordTable(name, collectors[name], store.objects.get(content), run.taken_at, opened, refusal)
            for name, content in tables(store, run.name, collectors).items()
        ]
    except (ValueError, KeyError) as error:
        raise refusal(str(error)) from None
