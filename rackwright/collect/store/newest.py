"""Which answers of several runs count: for every node and collector the newest one.

An answer that is an error counts
as an answer, so that a machine that broke since is not hidden by the good reading of last week; a question that a run
never came to is no answer. The answers of a machine for the whole site (a subnet, the scheduler) are taken from one run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from rackwright.collect.collector import Collectors
from rackwright.collect.store.runs import ANSWERS, StoredRun

OF = {"scheduler": (), "subnet": ("subject",), "group": ("member",)}
"""What an answer is about, by the scope of its collector and beside it; of any other, ``node`` and ``subject``."""


@dataclass(frozen=True)
class Choice:
    """What is read, and for whom."""

    answers: pl.DataFrame
    """Answers that count: `stored.ANSWERS`, the place of their run as ``run``, the scope of their collector as ``scope``, and for a test over
    several nodes the ``members`` for which it is the newest."""
    owed: Mapping[str, tuple[str, ...]]
    adapters: Mapping[str, Mapping[str, str]]
    run_times: Mapping[str, str]
    """By node: when the newest run began that it is part of."""
    stale: Mapping[tuple[str, str], str]
    """By node and collector: when the newest run that is too old began; holds where there is no newer answer."""


def newest(runs: Sequence[StoredRun], collectors: Collectors) -> Choice:
    """The choice among `runs`, which come newest first; collectors that no longer exist are left out."""
    adapters: dict[str, Mapping[str, str]] = {}
    run_times: dict[str, str] = {}
    for run in runs:
        for node in run.owed:
            run_times.setdefault(node, run.taken_at)
        for node, ports in run.adapters.items():
            adapters.setdefault(node, ports)
    return Choice(_answers(runs, collectors), _owed_records(runs, collectors), adapters, run_times, _stale(runs))


def _answers(runs: Sequence[StoredRun], collectors: Collectors) -> pl.DataFrame:
    """By run, in the order in which they came. What an answer is about is taken from the newest run that answered, with all that it printed."""
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
    """One answer of a machine to a question in a run. Who gave several gave none that counts: nobody knows which of them is true, so none passes.

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
    """Whether each answer is of a collector that answered in one run only: there is no older one to choose it over."""
    by_collector = answers.group_by("collector").agg(alone=pl.col("run").min() == pl.col("run").max())
    names = by_collector.filter("alone")["collector"]
    return answers.select(pl.col("collector").is_in(names.implode()) & (pl.col("scope") != "group")).to_series()


def _with_members(chosen: pl.DataFrame) -> pl.DataFrame:
    """Tests with the members that were chosen of each; those of none are left out."""
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
    """By node: what the newest run of each purpose expects of its state, and every test that it was ever given."""
    by_node: dict[str, tuple[tuple[str, ...], ...]] = {}
    stated: set[str] = set()
    for run in runs:
        for node, owes in run.owed.items():
            if run.kind == "state" and node in stated:
                continue
            by_node[node] = (*by_node.get(node, ()), owes)
            if run.kind == "state":
                stated.add(node)
    # Thousands of nodes owe the same: that is put together once.
    combined = {
        owed_lists: tuple(dict.fromkeys(name for owes in owed_lists for name in owes if name in collectors))
        for owed_lists in {*by_node.values()}
    }
    return {node: combined[owed_lists] for node, owed_lists in by_node.items()}
