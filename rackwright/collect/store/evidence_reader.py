"""Reads the evidence of a site from the store, for some nodes at a time.

Readings about many nodes are read once. The others come from tables of records, or are parsed if there is no table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

import polars as pl

from rackwright.collect import collector
from rackwright.collect.store import newest
from rackwright.collect.store import runs as stored
from rackwright.collect.store.assemble import OWN, Header, assemble
from rackwright.collect.store.node_states import CircumstancesOfRuns, of_state
from rackwright.collect.store.record_cache import CachedRecords
from rackwright.collect.store.recording import Store
from rackwright.collect.store.shared_by_nodes import shared
from rackwright.collect.store.single_node import Answered
from rackwright.model.check import NodeEvidence


class Kept:
    """Reader for the evidence of the nodes of some runs. A forked process can read a separate part of them."""

    def __init__(
        self,
        store: Store,
        runs: Sequence[stored.StoredRun],
        collectors: collector.Collectors | None = None,
        oldest: datetime | None = None,
        earlier: Sequence[stored.StoredRun] = (),
    ) -> None:
        """`earlier` are runs besides `runs` that describe the nodes before tests (`runs.before_tests`)."""
        self._collectors = collector.library() if collectors is None else collectors
        self._choice = newest.newest(runs, self._collectors)
        self._stale = {
            part: f"the newest reading is of {stale_since}, older than {oldest.isoformat()}: take it again"
            for part, stale_since in self._choice.stale.items()
            if oldest is not None
        }
        answers = self._choice.answers
        self._cached = CachedRecords(store, runs, answers, self._collectors)
        states = of_state(self._collectors)
        self._circumstances = CircumstancesOfRuns(runs, earlier, lambda run: Kept(store, [run], states).read)
        common = answers.filter(~pl.col("scope").is_in(OWN))
        uncached = self._cached.missing(answers.filter(pl.col("scope").is_in(OWN))).sort("node", maintain_order=True)
        self._own = Answered(store, runs, uncached, self._collectors)
        self._shared = shared(Answered(store, runs, common, self._collectors).all(), self._collectors)

    @property
    def nodes(self) -> tuple[str, ...]:
        """Every node that owes anything, in the order of the runs."""
        return tuple(self._choice.owed)

    def read(self, nodes: Iterable[str] | None = None) -> dict[str, NodeEvidence]:
        """The evidence of `nodes` (default: all). ProblemsError if raw bytes were changed."""
        chosen = self.nodes if nodes is None else tuple(nodes)
        owed = {node: self._choice.owed[node] for node in chosen}
        header = Header(run_times=self._choice.run_times, owed=owed, adapters=self._choice.adapters, stale=self._stale)
        readings = [*self._cached.of(chosen), *self._own.of(chosen)]
        evidence = assemble(header, readings, self._collectors, self._shared)
        circumstances = self._circumstances.of(chosen)
        return {node: replace(of_node, circumstances=circumstances[node]) for node, of_node in evidence.items()}
