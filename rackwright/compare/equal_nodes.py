"""Lets fleet checks decide equal nodes once: a few keys represent ten thousand nodes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from rackwright.model.check import Expectation
from rackwright.model.lazy_finding import passed, worded
from rackwright.model.verdict import SUBJECT, Finding, Outcome

R = TypeVar("R")


def judge_once(
    peers: Sequence[tuple[Expectation, R]], keys: Iterable[Hashable], judge: Callable[[Expectation, R], Finding]
) -> dict[str, Finding]:
    """The finding of `judge` for every node of `peers`, by name.

    Nodes with equal `keys` have the same outcome: if one of them passes, `judge` words the findings of the others only
    when they are read.
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


def judge_alike(
    peers: Sequence[tuple[Expectation, R]], keys: Iterable[Hashable], judge: Callable[[Expectation, R], Finding]
) -> dict[str, Finding]:
    """As `judge_once`, if the findings of passing nodes with equal `keys` differ only in the node's name: these share
    one finding (`SUBJECT`).
    """
    shared: dict[Hashable, Finding] = {}
    findings: dict[str, Finding] = {}
    for peer, key in zip(peers, keys, strict=True):
        node = peer[0].node.name
        if key not in shared:
            findings[node] = judge(*peer)
            if findings[node].outcome is not Outcome.PASS:
                continue
            shared[key] = passed(partial(_shared_finding, findings[node], node))
        findings[node] = shared[key]
    return findings


def _shared_finding(finding: Finding, node: str) -> Finding:
    """The `finding` of `node`, with `SUBJECT` in place of the node's name."""
    full = worded(finding)
    return full.model_copy(update={"says": f"{SUBJECT}: {full.says.removeprefix(f'{node}: ')}"})
