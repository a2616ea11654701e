"""Chooses which answers of several runs count: the newest one for every node and collector.

An answer that is an error counts as an answer, so that the good reading of last week does not hide a machine that broke
since; a question that a run never reached is no answer. The answers of a machine for the whole site (a subnet, the
scheduler) are taken from one run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from rackwright.collect.collector import Collectors
from rackwright.collect.store.runs import ANSWERS, StoredRun

OF = {"scheduler": (), "subnet": ("subject",), "group": ("member",)}
"""Columns besides the collector that identify the subject of an answer, by the scope of its collector; for any other
scope ``node`` and ``subject``.
"""


@dataclass(frozen=True)
class Choice:
    """The answers to read, and the nodes that owe them."""

    answers: pl.DataFrame
    """Answers that count: the columns of `runs.ANSWERS`, the index of their run as ``run``, the scope of their
    collector as ``scope``, and for a test over several nodes the ``members`` for which it is the newest.
    """
    owed: Mapping[str, tuple[str, ...]]
    adapters: Mapping[str, Mapping[str, str]]
    run_times: Mapping[str, str]
    """Node -> start of the newest run that includes it."""
    stale: Mapping[tuple[str, str], str]
    """(node, collector) -> start of the newest run that is too old; used if there is no newer answer."""


def newest(runs: Sequence[StoredRun], collectors: Collectors) -> Choice:
    """The choice among `runs`, which are ordered newest first; answers of collectors that no longer exist are omitted."""
    adapters: dict[str, Mapping[str, str]] = {}
    run_times: dict[str, str] = {}
    for run in runs:
        for node in run.owed:
            run_times.setdefault(node, run.taken_at)
        for node, ports in run.adapters.items():
            adapters.setdefault(node, ports)
    return Choice(_answers(runs, collectors), _owed_records(runs, collectors), adapters, run_times, _stale(runs))


def _answers(runs: Sequence[StoredRun], collectors: Collectors) -> pl.DataFrame:
    """Answers by run, in the order of arrival.

    The answers about one subject are all taken from the newest run that answered it.
    """
    scopes = {name: str(entry.scope) for name, entry in collectors.items()}
    all_answers = pl.concat([run.answers.with_columns(run=pl.lit(place)) for place, run in enumerate(runs)])
    current = all_answers.filter(pl.col("collector").is_in(list(scopes))).with_row_index("place")
    current = _single(current.with_columns(scope=pl.col("collector").replace_strict(scopes, return_dtype=pl.String)))
    none = pl.lit([], pl.List(pl.String)).alias("members")
    if current.is_empty():
        return current.select(*ANSWERS, "run", "scope", none)
    alone = _of_single_run(current)
    selected = [current.filter(alone).with_columns(none)]
    for (scope,), some in current.filter(~alone).partition_by("scope", as_dict=True).items():
        about = ["collector", *OF.get(str(scope), ("node", "subject"))]
        each = some.with_columns(member="nodes").explode("member") if scope == "group" else some
        chosen = each.filter(pl.col("run") == pl.col("run").min().over(about))
        selected.append(_with_members(chosen) if scope == "group" else chosen.with_columns(none))
    columns = ("place", *ANSWERS, "run", "scope", "members")
    chosen = pl.concat([run.select(columns) for run in selected])
    return (chosen if len(selected) == 1 else chosen.sort("place")).drop("place")


def _single(answers: pl.DataFrame) -> pl.DataFrame:
    """One answer of a machine to a question in a run. If a machine gave several, none counts and an error replaces
    them, because nobody knows which is true.

    A test over several nodes may be repeated in a run.
    """
    question = ["run", "collector", "node", "subject"]
    several = pl.Series(answers.select(question).is_duplicated()) & (answers["scope"] != "group")
    if not several.any():
        return answers
    repeated = answers.filter(several).with_columns(times=pl.len().over(question))
    repeated = repeated.unique(question, keep="first", maintain_order=True)
    sentences = [
        f"{node} answered {collector} {times} times in the run: none of them counts, find out what answers there"
        for node, collector, times in repeated.select("node", "collector", "times").iter_rows()
    ]
    repeated = repeated.drop("times").with_columns(error=pl.Series(sentences, dtype=pl.String))
    return pl.concat([answers.filter(~several), repeated]).sort("place")


def _of_single_run(answers: pl.DataFrame) -> pl.Series:
    """Whether the collector of each answer answered in one run only, so that there is nothing to choose from."""
    by_collector = answers.group_by("collector").agg(alone=pl.col("run").min() == pl.col("run").max())
    names = by_collector.filter("alone")["collector"]
    return answers.select(pl.col("collector").is_in(names.implode()) & (pl.col("scope") != "group")).to_series()


def _with_members(chosen: pl.DataFrame) -> pl.DataFrame:
    """Tests with the members for which they were chosen; tests that were chosen for none are omitted."""
    members = chosen.drop_nulls("member").group_by("place").agg(members="member")
    return chosen.drop("member").unique("place").join(members, on="place")


def _stale(runs: Sequence[StoredRun]) -> dict[tuple[str, str], str]:
    stale: dict[tuple[str, str], str] = {}
    for run in runs:
        for node, owes in run.owed.items() if run.old else ():
            for identity in owes:
                stale.setdefault((node, identity), run.taken_at)
    return stale


def _owed_records(runs: Sequence[StoredRun], collectors: Collectors) -> dict[str, tuple[str, ...]]:
    """Node -> ids of the records that the newest run of its state expects, and of every test that it was ever given."""
    by_node: dict[str, tuple[tuple[str, ...], ...]] = {}
    stated: set[str] = set()
    for run in runs:
        for node, owes in run.owed.items():
            if run.kind == "state" and node in stated:
                continue
            by_node[node] = (*by_node.get(node, ()), owes)
            if run.kind == "state":
                stated.add(node)
    # Thousands of nodes owe the same records: the tuple is built once.
    combined = {
        owed_lists: tuple(dict.fromkeys(name for owes in owed_lists for name in owes if name in collectors))
        for owed_lists in {*by_node.values()}
    }
    return {node: combined[owed_lists] for node, owed_lists in by_node.items()}
