"""Readings for which there is no limit, run by run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rackwright.judge.expect import expect
from rackwright.judge.plant import node_checks
from rackwright.model.check import AnyCheck, Check, Expectation, FleetCheck, Limits, NodeEvidence
from rackwright.model.design import Design
from rackwright.model.times import parse_day
from rackwright.model.verdict import Finding, Outcome, Unlimited

About = tuple[str, tuple[tuple[str, str], ...]]
"""Metric and key."""


@dataclass(frozen=True)
class UnlimitedReadings:
    """What runs measured without a limit."""

    values: Mapping[About, Mapping[str, Sequence[float]]]
    """By node: one value of every run."""
    unjudged: Collection[tuple[str, str]]
    """Node and check of every finding that is inconclusive because it lacked a limit."""


def unlimited_readings(
    design: Design,
    names: Sequence[str],
    runs: Mapping[str, Mapping[str, NodeEvidence]],
    checks: Mapping[str, AnyCheck],
    limits: Limits,
) -> UnlimitedReadings:
    """What the nodes called `names` measured without a limit in `runs` (evidence by id); of a node in several groups the best one counts."""
    values: dict[About, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    unjudged = set()
    for evidence in runs.values():
        best: dict[tuple[About, str], float] = {}  # a node that is in several groups is as good as its best one
        for name, check, finding in _findings(design, names, evidence, checks, limits):
            if finding.outcome is Outcome.INCONCLUSIVE and not finding.advisory:
                unjudged.add((name, check))
            for reading in finding.unlimited:
                place = about_of(reading), name
                best[place] = max(reading.value, best.get(place, reading.value))
        for (about, name), value in best.items():
            values[about][name].append(value)
    return UnlimitedReadings(values, unjudged)


def _findings(
    design: Design,
    names: Sequence[str],
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    limits: Limits,
) -> Iterator[tuple[str, str, Finding]]:
    """Node, check and finding of everything in one run that lacks a limit."""
    expected = [
        replace(expectation, as_of=parse_day(evidence[expectation.node.name].taken))
        for expectation in expect(design, {}, limits, {name for name in names if name in evidence})
    ]
    for name, check in node_checks(checks).items():
        peers = [
            (expectation, record)
            for expectation in expected
            if check.applies(expectation) and (record := evidence[expectation.node.name].get(check.reads)) is not None
        ]
        findings = _peer_findings(check, peers)
        yield from ((node, name, finding) for node, finding in findings if finding.unlimited)


def _peer_findings(check: AnyCheck, peers: Sequence[tuple[Expectation, object]]) -> Iterable[tuple[str, Finding]]:
    if isinstance(check, FleetCheck):
        values = [(expectation, check.takes(record)) for expectation, record in peers]
        return check.judge(values).items() if values else ()
    if isinstance(check, Check):
        return ((expectation.node.name, check.judge(expectation, record)) for expectation, record in peers)
    return ()


def about_of(reading: Unlimited) -> About:
    """Metric and key of a reading."""
    return reading.metric, tuple(sorted(reading.key.items()))
