"""Compares parts of one kind on all nodes: the value of the majority is expected of all."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from rackwright.compare.equal_nodes import judge_alike
from rackwright.compare.majority import majority
from rackwright.compare.readings import finding
from rackwright.model.check import Expectation
from rackwright.model.verdict import Finding, Outcome

R = TypeVar("R")
Parts = Mapping[str, tuple[str, str | None]]
"""Part -> its kind and its value."""


def compare_parts(
    peers: Sequence[tuple[Expectation, R]],
    read: Callable[[Expectation, R], Parts],
    *,
    what: str,
    source: str,
    decides: Callable[[Expectation, R], Hashable] = lambda expectation, _: expectation.node.name,
) -> dict[str, Finding]:
    """A finding for every node, by name; `read` returns part -> (kind, value), and parts of one kind are compared.

    A value shared by more than half of the parts of a kind is expected of each of them. Without such a value no part
    can be blamed (inconclusive); a kind with one part cannot be compared (not_run). For peers with equal `decides`,
    `read` returns equal kinds and values under different names, and is called once.
    """
    numbers: dict[Hashable, int] = {}
    keys = [numbers.setdefault(decides(*peer), len(numbers)) for peer in peers]
    nodes = Counter(keys)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for key, peer in dict(zip(keys, peers, strict=True)).items():
        for kind, value in read(*peer).values():
            if value is not None:
                counts[kind][value] += nodes[key]
    common = {kind: majority(values) for kind, values in counts.items()}
    return judge_alike(
        peers,
        keys,
        lambda expectation, parts: _findings_beside(
            expectation, read(expectation, parts), common, counts, what, source
        ),
    )


def _findings_beside(
    expectation: Expectation,
    parts: Mapping[str, tuple[str, str | None]],
    common: Mapping[str, str | None],
    counts: Mapping[str, Counter[str]],
    what: str,
    source: str,
) -> Finding:
    compared = {
        part: (kind, value) for part, (kind, value) in parts.items() if value is None or counts[kind].total() > 1
    }
    wrong = [
        f"{part}: {value}, where most have {common[kind]}"
        for part, (kind, value) in compared.items()
        if value is not None and common.get(kind) not in (None, value)
    ]
    unread = [part for part, (_, value) in compared.items() if value is None]
    split = sorted({kind for kind, value in compared.values() if value is not None and common[kind] is None})
    if wrong:
        outcome, observed = Outcome.FAIL, "; ".join(wrong)
    elif unread or split or not parts:
        reasons = [f"no reading of {', '.join(unread)}"] if unread else []
        reasons += [f"no value of {', '.join(split)} that most have"] if split else []
        outcome, observed = Outcome.INCONCLUSIVE, "; ".join(reasons) or "nothing to read"
    elif not compared:
        outcome, observed = Outcome.NOT_RUN, "has no peer to be compared with"
    else:
        outcome, observed = Outcome.PASS, f"as most have on all {len(compared)}"
    expected = "the same as on most peers"
    return finding(expectation, outcome, what=what, observed=observed, expected=expected, source=source)
