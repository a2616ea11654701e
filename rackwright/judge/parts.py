"""A large fleet judged in parts: the same verdicts as `run`, of which only those that are no pass are kept.

In: expectations and evidence of some nodes at a time. Out: a `Part` each, small enough to be sent between processes; `joined`
makes the `Tally` of all. Cut from `run` because a list of two million verdicts fits into no memory that this is worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rackwright.judge.reuse import Reuse, named
from rackwright.judge.run import crashed, find, silent, verdict
from rackwright.model.check import AnyCheck, Expectation, FleetCheck, NodeEvidence
from rackwright.model.verdict import Finding, Outcome, Verdict


@dataclass
class Part:
    """What some nodes gave."""

    counts: Counter[Outcome] = field(default_factory=Counter)
    verdicts: list[Verdict] = field(default_factory=list)
    """Of checks of single nodes, without those that passed."""
    taken: dict[str, list[tuple[str, Any, str | None]]] = field(default_factory=dict)
    """By fleet check: node, what the check takes of its record, hashes of the raw output."""
    as_of: dict[str, str] = field(default_factory=dict)
    """By node: the day of its evidence."""
    failures: dict[str, Exception] = field(default_factory=dict)
    """By fleet check: what it crashed with, if it did."""


@dataclass(frozen=True)
class Tally:
    """What a fleet was judged."""

    counts: Counter[Outcome]
    verdicts: tuple[Verdict, ...]
    """Those that are no pass, in the order of `run`."""
    nodes: int


def part(
    expected: Sequence[Expectation],
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    kinds: set[str],
) -> Part:
    """Judge the nodes of `expected`; `kinds` names the records that any check reads."""
    found, reuse = Part(), Reuse()
    for undated in expected:
        seen = evidence.get(undated.node.name)
        expectation = replace(undated, as_of=seen.taken[:10]) if seen is not None else undated
        found.as_of[expectation.node.name] = expectation.as_of
        for name, check in checks.items():
            if isinstance(check, FleetCheck) and _take(name, check, expectation, seen, found):
                continue
            said = find(name, check, expectation, seen, kinds, {}, reuse)
            if said is not None:
                raw = seen.raw.get(check.reads) if seen is not None else None
                _count(found.counts, found.verdicts, name, check, expectation.node.name, said, raw)
    return found


def _take(name: str, check: FleetCheck[Any], expectation: Expectation, seen: NodeEvidence | None, found: Part) -> bool:
    """Keep what the check compares; False for a node that it does not compare."""
    if seen is None:
        return False
    record = seen.get(check.reads)
    try:
        if not check.applies(expectation) or record is None:
            return False
        value = check.takes(record)
    except Exception as error:  # noqa: BLE001 - said of every node when the parts are joined
        found.failures.setdefault(name, _portable(error))
        value = None
    found.taken.setdefault(name, []).append((expectation.node.name, value, seen.raw.get(check.reads)))
    return True


def _portable(error: Exception) -> Exception:
    """The same words of an exception that can be sent between processes, whatever it is."""
    return (
        type(error)(str(error))
        if type(error).__module__ == "builtins"
        else RuntimeError(f"{type(error).__name__}: {error}")
    )


def joined(expected: Sequence[Expectation], parts: Sequence[Part], checks: Mapping[str, AnyCheck]) -> Tally:
    """The tally of all nodes of `expected`, whose `parts` come in the same order."""
    counts: Counter[Outcome] = Counter()
    verdicts: list[Verdict] = []
    for one in parts:
        counts.update(one.counts)
        verdicts += one.verdicts
    days = {node: day for one in parts for node, day in one.as_of.items()}
    by_name = {one.node.name: replace(one, as_of=days.get(one.node.name, one.as_of)) for one in expected}
    for name, check in checks.items():
        if isinstance(check, FleetCheck):
            taken = [row for one in parts for row in one.taken.get(name, ())]
            failure = next((one.failures[name] for one in parts if name in one.failures), None)
            said = _compared(name, check, [(by_name[node], value) for node, value, _ in taken], failure)
            for node, _, raw in taken:
                _count(counts, verdicts, name, check, node, said.get(node) or silent(node, name), raw)
    order = {name: place for place, name in enumerate(by_name)}
    verdicts.sort(key=lambda one: (order[one.target], one.check))
    return Tally(counts, tuple(verdicts), len(expected))


def _compared(
    name: str, check: FleetCheck[Any], peers: Sequence[tuple[Expectation, Any]], failure: Exception | None
) -> Mapping[str, Finding]:
    if failure is None:
        try:
            return check.judge(peers)
        except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
            failure = error
    return {one.node.name: crashed(one.node.name, name, failure) for one, _ in peers}


def _count(
    counts: Counter[Outcome],
    verdicts: list[Verdict],
    name: str,
    check: AnyCheck,
    node: str,
    said: Finding,
    raw: str | None,
) -> None:
    counts[said.outcome] += 1
    if said.outcome != Outcome.PASS:
        verdicts.append(verdict(name, check, node, named(said, node), raw))
