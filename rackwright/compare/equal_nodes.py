"""Nodes that are sure to pass together.

A fleet is alike, or it would not be compared: a handful of keys stand for ten thousand nodes, and one finding of each tells who passes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from rackwright.model.check import Expectation
from rackwright.model.lazy_findings import Answers
from rackwright.model.verdict import Finding, Outcome

R = TypeVar("R")


def once(
    peers: Sequence[tuple[Expectation, R]], keys: Iterable[Hashable], say: Callable[[Expectation, R], Finding]
) -> Answers:
    """What `say` gives for every node of `peers`. Nodes with equal `keys` have the same outcome, though not the same sentence."""
    passed: set[Hashable] = set()
    others: dict[str, Finding] = {}
    own = {peer[0].node.name: peer for peer in peers}
    for peer, key in zip(peers, keys, strict=True):
        if key not in passed:
            found = say(*peer)
            if found.outcome is Outcome.PASS:
                passed.add(key)
            else:
                others[peer[0].node.name] = found
    return Answers(own.keys(), others, lambda name: say(*own[name]))
