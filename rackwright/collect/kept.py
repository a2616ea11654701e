"""The evidence of a site as it lies in the store, read for some nodes at a time.

In: runs, newest first. Out: `NodeEvidence` of the nodes that are asked for. What concerns many nodes is read once, and equal
raw outputs are parsed once: a healthy fleet says the same a thousand times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from operator import itemgetter

import polars as pl

from rackwright.collect import choose, collector, stored
from rackwright.collect.assemble import OWN, Header, assemble
from rackwright.collect.chain import Entry
from rackwright.collect.reading import Reading, Seen, reading
from rackwright.collect.sharing import shared
from rackwright.collect.store import Store
from rackwright.collect.transports import replay
from rackwright.collect.verify import problem
from rackwright.errors import Problem, ProblemsError
from rackwright.model.check import NodeEvidence

Collectors = Mapping[str, collector.Collector]
Content = tuple[str, str, str, int | None]
"""What a reading follows from: collector, hashes of both outputs, exit status."""


class Kept:
    """Evidence of `nodes`. A process that is forked from this one reads its own part of them."""

    def __init__(
        self,
        store: Store,
        runs: Sequence[stored.Run],
        collectors: Collectors | None = None,
        oldest: datetime | None = None,
    ) -> None:
        self._store, self._runs = store, runs
        self._collectors = collector.library() if collectors is None else collectors
        self._choice = choose.newest(runs, self._collectors)
        self._stale = {
            part: f"the newest reading is of {taken}, older than {oldest.isoformat()}: take it again"
            for part, taken in self._choice.stale.items()
            if oldest is not None
        }
        often = pl.len().over("collector", "stdout", "stderr", "rc") > 1
        answers = self._choice.answers.with_columns(often=often)
        common = answers.filter(~pl.col("scope").is_in(OWN))
        self._answers = answers.filter(pl.col("scope").is_in(OWN)).sort("node", maintain_order=True)
        self._places = _places(self._answers["node"])
        self._known: dict[Content, Reading] = {}
        self._shared = shared(self._seen(common.iter_rows(named=True)), self._collectors)
        self._known.clear()  # what concerns many nodes is laid out in `_shared` and not asked again

    @property
    def nodes(self) -> tuple[str, ...]:
        """Every node that owes anything, in the order of the runs."""
        return tuple(self._choice.owed)

    def read(self, nodes: Iterable[str] | None = None) -> dict[str, NodeEvidence]:
        """The evidence of `nodes` (default: all). ProblemsError when raw bytes are not what was written."""
        chosen = self.nodes if nodes is None else tuple(nodes)
        owed = {node: self._choice.owed[node] for node in chosen}
        header = Header(taken=self._choice.taken, owed=owed, adapters=self._choice.adapters, stale=self._stale)
        own = (self._answers[self._places[node]] for node in chosen if node in self._places)
        rows = [row for some in own for row in some.iter_rows(named=True)]
        rows.sort(key=itemgetter("collector"))  # one parser after the other: the processor keeps its code at hand
        return assemble(header, self._seen(rows), self._collectors, self._shared)

    def _seen(self, entries: Iterable[Entry]) -> list[Seen]:
        """Every answer opened and parsed. Bytes that were changed are all told at once."""
        found: list[Seen] = []
        problems: list[tuple[int, int, Problem]] = []
        for entry in entries:
            run = self._runs[entry["run"]]
            try:
                read = self._reading(entry, run.taken)
            except ValueError as error:
                changed = problem(self._store, run.name, entry["line"], str(error))
                problems.append((entry["run"], entry["line"], changed))
                continue
            found.append(Seen(entry["node"], entry["collector"], entry["subject"], read, frozenset(entry["members"])))
        if problems:
            raise ProblemsError([one for *_, one in sorted(problems)])
        return found

    def _reading(self, entry: Entry, taken: str) -> Reading:
        """ValueError when its raw bytes are not what was written."""
        parser = self._collectors[entry["collector"]]
        if entry["error"] or parser.scope == "group" or not entry["often"]:
            return reading(replay.output(self._store, entry), entry["stdout"], parser, taken)
        content = entry["collector"], entry["stdout"], entry["stderr"], entry["rc"]
        if content not in self._known:
            self._known[content] = reading(replay.output(self._store, entry), entry["stdout"], parser, taken)
        known = self._known[content]
        return known if known.taken == taken else known._replace(taken=taken)


def _places(nodes: pl.Series) -> dict[str, slice]:
    """By name: where it stands in `nodes`, which are sorted."""
    runs = nodes.rle().struct.unnest().with_columns(end=pl.col("len").cum_sum())
    return {node: slice(end - count, end) for count, node, end in runs.iter_rows()}
