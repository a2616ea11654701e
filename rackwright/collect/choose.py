"""Which answers of several runs count: for every node and collector the newest one. Pure.

In: runs, newest first. Out: a `Choice`: the entries to open, and what every node owes. An answer that is an error counts
as an answer, so that a machine that broke since is not hidden by the good reading of last week; a question that a run
never came to is no answer. What a machine was asked for the whole site (a subnet, the scheduler) is taken from one run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rackwright.collect.chain import Entry
from rackwright.collect.collector import Collector
from rackwright.collect.stored import Run

Part = tuple[str, ...]
"""What is taken from one run as a whole."""


@dataclass(frozen=True)
class Chosen:
    """One answer that counts."""

    run: Run
    line: int
    """Its line in the index of the run."""
    entry: Entry
    nodes: frozenset[str] = frozenset()
    """For a test over several nodes: those of them for which it is the newest."""


@dataclass(frozen=True)
class Choice:
    """What is read, and for whom."""

    answers: tuple[Chosen, ...]
    owed: Mapping[str, tuple[str, ...]]
    adapters: Mapping[str, Mapping[str, str]]
    taken: Mapping[str, str]
    """By node: when the newest run began that it is part of."""
    stale: Mapping[tuple[str, str], str]
    """By node and collector: when the newest run that is too old began; holds where there is no newer answer."""


def newest(runs: Sequence[Run], collectors: Mapping[str, Collector]) -> Choice:
    """The choice among `runs`, which come newest first; collectors that no longer exist are left out."""
    claimed: dict[Part, str] = {}
    answers: list[Chosen] = []
    for run in runs:
        for line, entry in run.outputs:
            collector = collectors.get(entry["collector"])
            if collector is None:
                continue
            parts = _parts(entry, collector)
            mine = [part for part in parts if claimed.setdefault(part, run.name) == run.name]
            if mine:
                nodes = frozenset(part[1] for part in mine) if collector.scope == "group" else frozenset[str]()
                answers.append(Chosen(run, line, entry, nodes))
    adapters: dict[str, Mapping[str, str]] = {}
    taken: dict[str, str] = {}
    for run in runs:
        for node in run.owed:
            taken.setdefault(node, run.taken)
        for node, ports in run.adapters.items():
            adapters.setdefault(node, ports)
    return Choice(tuple(answers), _owed(runs, collectors), adapters, taken, _stale(runs))


def _stale(runs: Sequence[Run]) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for run in runs:
        for node, owes in run.owed.items() if run.old else ():
            for identity in owes:
                found.setdefault((node, identity), run.taken)
    return found


def _parts(entry: Entry, collector: Collector) -> list[Part]:
    identity = str(entry["collector"])
    if collector.scope == "scheduler":
        return [(identity,)]
    if collector.scope == "subnet":
        return [(identity, str(entry["subject"]))]
    if collector.scope == "group":
        return [(identity, str(node)) for node in entry.get("nodes", ())]
    return [(identity, str(entry["node"]), str(entry["subject"]))]


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
