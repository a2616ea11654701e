"""Readings out of the pages of runs: no raw output is opened, and no record is made before somebody looks at it.

What is on no page is left to `answered`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from rackwright.base.errors import ProblemsError
from rackwright.collect import collector
from rackwright.collect.store import cache_writer
from rackwright.collect.store import runs as stored
from rackwright.collect.store.cache_format import Page
from rackwright.collect.store.reading import Seen
from rackwright.collect.store.recording import Store
from rackwright.collect.store.tampering import problem


class Paged:
    """The readings of `runs` that count and are on pages. A process that is forked from this one reads its own part of them."""

    def __init__(
        self,
        store: Store,
        runs: Sequence[stored.Run],
        answers: pl.DataFrame,
        collectors: collector.Collectors,
    ) -> None:
        """`answers` are those that were chosen. A node is read from the page of a run when everything that it answered then still counts.

        Other collectors than ours have no pages.
        """
        self._store, self._runs, self._collectors = store, runs, collectors
        ours = runs if collectors is collector.library() else ()
        named = {place: found for place, run in enumerate(ours) if (found := cache_writer.of(store, run.name))}
        self._pages = self._whole(named, answers) if named else {}
        self._open: dict[int, tuple[str, Page]] = {}
        """By run: the page that was read last; machines that stand together are asked for together."""

    def _whole(self, named: Mapping[int, Mapping[str, list[str]]], answers: pl.DataFrame) -> dict[str, dict[int, str]]:
        """By node and run: the page to read, out of the pages of each run that has some."""
        chosen = cache_writer.own(answers, self._collectors).group_by("run", "node").len()
        found: dict[str, dict[int, str]] = defaultdict(dict)
        for place, known in named.items():
            said = cache_writer.own(self._runs[place].answers, self._collectors).group_by("node").len()
            whole = set(said.join(chosen.filter(pl.col("run") == place), on=["node", "len"])["node"])
            for name, nodes in known.items():
                for node in whole.intersection(nodes):
                    found[node][place] = name
        return dict(found)

    def left(self, answers: pl.DataFrame) -> pl.DataFrame:
        """Those of `answers` that are on no page."""
        if not self._pages:
            return answers
        parts = [(node, place) for node, own in self._pages.items() for place in own]
        known = pl.DataFrame(parts, schema={"node": pl.String, "run": answers.schema["run"]}, orient="row")
        paged = (
            cache_writer.own(answers, self._collectors)
            .join(known, on=["node", "run"], how="semi")
            .select("run", "line")
        )
        return answers.join(paged, on=["run", "line"], how="anti", maintain_order="left")

    def home(self, node: str) -> str:
        """What the machines that are best read together share; empty without a page."""
        return next(iter(self._pages.get(node, {}).values()), "")

    def of(self, nodes: Iterable[str]) -> list[Seen]:
        """The readings of `nodes` that are on pages. ProblemsError when a page is not what was written."""
        wanted: dict[tuple[int, str], set[str]] = {}
        for node in nodes:
            for part in self._pages.get(node, {}).items():
                wanted.setdefault(part, set()).add(node)
        return [one for (place, name), some in wanted.items() for one in self._page(place, name).seen(some)]

    def _page(self, place: int, name: str) -> Page:
        known = self._open.get(place)
        if known is None or known[0] != name:
            run = self._runs[place]
            try:
                known = name, Page(self._store.objects.get(name), self._collectors, run.taken)
            except (ValueError, KeyError, TypeError) as error:
                raise ProblemsError([problem(self._store, run.name, cache_writer.line(run), str(error))]) from None
            self._open[place] = known
        return known[1]
