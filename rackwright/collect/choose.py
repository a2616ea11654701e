"""Which answers of several runs count: for every node and collector the newest one. Pure.

In: runs, newest first. Out: a `Choice`: the entries to open, and what every node owes. An answer that is an error counts
as an answer, so that a machine that broke since is not hidden by the good reading of last week; a question that a run
never came to is no answer. What a machine was asked for the whole site (a subnet, the scheduler) is taken from one run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from rackwright.collect.collector import Collector
from rackwright.collect.stored import ANSWERS, Run

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
    taken: Mapping[str, str]
    """By node: when the newest run began that it is part of."""
    stale: Mapping[tuple[str, str], str]
    """By node and collector: when the newest run that is too old began; holds where there is no newer answer."""


def newest(runs: Sequence[Run], collectors: Mapping[str, Collector]) -> Choice:
    """The choice among `runs`, which come newest first; collectors that no longer exist are left out."""
    adapters: dict[str, Mapping[str, str]] = {}
    taken: dict[str, str] = {}
    for run in runs:
        for node in run.owed:
            taken.setdefault(node, run.taken)
        for node, ports in run.adapters.items():
            adapters.setdefault(node, ports)
    return Choice(_answers(runs, collectors), _owed(runs, collectors), adapters, taken, _stale(runs))


def _answers(runs: Sequence[Run], collectors: Mapping[str, Collector]) -> pl.DataFrame:
    """By run, in the order in which they came. What an answer is about is taken from the newest run that answered, with all that it said."""
    scopes = {name: str(one.scope) for name, one in collectors.items()}
    told = pl.concat([one.answers.with_columns(run=pl.lit(place)) for place, one in enumerate(runs)])
    known = told.filter(pl.col("collector").is_in(list(scopes))).with_row_index("place")
    known = known.with_columns(scope=pl.col("collector").replace_strict(scopes, return_dtype=pl.String))
    found = []
    for (scope,), some in known.partition_by("scope", as_dict=True).items():
        about = ["collector", *OF.get(str(scope), ("node", "subject"))]
        each = some.with_columns(member="nodes").explode("member") if scope == "group" else some
        chosen = each.filter(pl.col("run") == pl.col("run").min().over(about))
        found.append(
            _gathered(chosen) if scope == "group" else chosen.with_columns(members=pl.lit([], pl.List(pl.String)))
        )
    columns = (*ANSWERS, "run", "scope", "members")
    return (
        pl.concat(found).sort("place").select(columns) if found else known.with_columns(members="nodes").select(columns)
    )


def _gathered(chosen: pl.DataFrame) -> pl.DataFrame:
    """Tests with the members that were chosen of each; those of none are left out."""
    members = chosen.drop_nulls("member").group_by("place").agg(members="member")
    return chosen.drop("member").unique("place").join(members, on="place")


def _stale(runs: Sequence[Run]) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for run in runs:
        for node, owes in run.owed.items() if run.old else ():
            for identity in owes:
                found.setdefault((node, identity), run.taken)
    return found


def _owed(runs: Sequence[Run], collectors: Mapping[str, Collector]) -> dict[str, tuple[str, ...]]:
    """By node: what the newest run of each purpose expects of its state, and every test that it was ever given."""
    found: dict[str, dict[str, None]] = {}
    stated: set[str] = set()
    for run in runs:
        for node, owes in run.owed.items():
            if run.kind == "state" and node in stated:
                continue
            found.setdefault(node, {}).update(dict.fromkeys(one for one in owes if one in collectors))
            if run.kind == "state":
                stated.add(node)
    return {node: tuple(owes) for node, owes in found.items()}
