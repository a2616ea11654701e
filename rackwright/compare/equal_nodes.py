"""Fleet checks decide equal nodes once: a fleet is alike, so a few keys stand for ten thousand nodes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from rackwright.model.check import Expectation
from rackwright.model.lazy_finding import passed
from rackwright.model.verdict import Finding, Outcome

R = TypeVar("R")


def judge_once(
    peers: Sequence[tuple[Expectation, R]], keys: Iterable[Hashable], judge: Callable[[Expectation, R], Finding]
) -> dict[str, Finding]:
    """The finding of `judge` for every node of `peers`, by name.

    Nodes with equal `keys` have the same outcome: when one of them passes, `judge` words the others only when they are read.
    """
    passing: set[Hashable] = set()
    findings: dict[str, Finding] = {}
    for peer, key in zip(peers, keys, strict=True):
        if key in passing:
            findings[peer[0].node.name] = passed(partial(judge, *peer))
            continue
        finding = findings[peer[0].node.name] = judge(*peer)
        if finding.outcome is Outcome.PASS:
            passing.add(key)
    return findings
