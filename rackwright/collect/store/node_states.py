"""The identity of each node at the time of a reading: taken from the last collect before the run, unless that is the
newest collect.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import polars as pl

from rackwright.collect.collector import CollectorLibrary, Collectors
from rackwright.collect.store.runs import StoredRun
from rackwright.model.check import NodeEvidence
from rackwright.model.node_state import KINDS, Circumstances, NodeIdentity, state_of

Read = Callable[[Iterable[str]], Mapping[str, NodeEvidence]]
"""Reads the state of nodes from one run."""


class CircumstancesOfRuns:
    """Circumstances by node and run. A forked process can read its own nodes."""

    def __init__(
        self, runs: Sequence[StoredRun], earlier: Sequence[StoredRun], reader: Callable[[StoredRun], Read]
    ) -> None:
        """`runs` are those whose readings may count; `earlier` are further runs that describe the nodes before tests.

        `reader` opens one run.
        """
        counting = [run for run in runs if not run.old]
        states = sorted(
            (run for run in (*counting, *earlier) if run.kind == "state"), key=lambda run: run.name, reverse=True
        )
        places_of: dict[str, list[int]] = defaultdict(list)
        for place, state in enumerate(states):
            for node in state.owed:
                places_of[node].append(place)
        self._runs: dict[str, list[tuple[StoredRun, int | None]]] = defaultdict(list)
        for run in counting:
            for node in run.owed:
                self._runs[node].append((run, _last_collect_before(states, run, places_of.get(node, []))))
        self._boots = {run.name: boots_of_tests(run) for run in counting}
        places = {place for pairs in self._runs.values() for _, place in pairs if place is not None}
        self._readers = {place: reader(states[place]) for place in places}

    def of(self, nodes: Sequence[str]) -> dict[str, dict[str, Circumstances]]:
        """Node -> ISO time of the run -> circumstances."""
        required: dict[int, list[str]] = defaultdict(list)
        for node in nodes:
            for place in {place for _, place in self._runs.get(node, ()) if place is not None}:
                required[place].append(node)
        states: dict[tuple[int | None, str], NodeIdentity] = {
            (place, node): state_of(evidence.records)
            for place, some in required.items()
            for node, evidence in self._readers[place](some).items()
        }
        return {
            node: {
                run.taken_at: Circumstances(
                    run.kind, run.designs.get(node, ""), states.get((place, node)), self._boots[run.name].get(node, ())
                )
                for run, place in self._runs.get(node, ())
            }
            for node in nodes
        }


def _last_collect_before(states: Sequence[StoredRun], run: StoredRun, places: Sequence[int]) -> int | None:
    """Index of the last collect of a node before `run`, or of `run` itself; None if that is the newest collect, or if
    there is none.

    `places` are the indices of the collects of the node, newest first.
    """
    before = next((place for place in places if states[place].name <= run.name), None)
    return before if before != next(iter(places), None) else None


def boots_of_tests(run: StoredRun) -> dict[str, tuple[str, ...]]:
    """Node -> its boot ids during its tests in `run`."""
    if run.kind == "state":
        return {}
    each = run.answers.select(member=pl.coalesce("nodes", pl.concat_list("node")), boot="boots").drop_nulls("boot")
    each = each.filter(pl.col("member").list.len() == pl.col("boot").list.len()).explode("member", "boot")
    by_node = each.filter(pl.col("boot") != "").unique(maintain_order=True).group_by("member").agg("boot")
    return {node: tuple(boots) for node, boots in by_node.iter_rows()}


def of_state(collectors: Collectors) -> Collectors:
    """The collectors whose records describe a node's identity."""
    chosen = {name: entry for name, entry in collectors.items() if entry.produces in KINDS and not entry.load}
    return CollectorLibrary(collectors.roots, chosen) if isinstance(collectors, CollectorLibrary) else chosen
