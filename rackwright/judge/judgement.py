"""The parts of a fleet put together: nodes are compared with each other, and findings become verdicts when they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import itemgetter
from typing import Any

from rackwright.judge.engine import PartJudgement, Row
from rackwright.judge.engine_findings import crash_finding, silent_finding
from rackwright.judge.node_view import sentence
from rackwright.judge.peer_columns import CheckNames, PeerRow
from rackwright.model.check import AnyCheck, Expectation, FleetCheck
from rackwright.model.lazy_finding import worded
from rackwright.model.node_verdicts import NodeVerdicts
from rackwright.model.verdict import SUBJECT, Finding, Outcome, Verdict, verdict_fields


@dataclass(frozen=True)
class Judgement:
    """The judgement of a fleet."""

    counts: Counter[Outcome]
    nodes: int
    rows: Sequence[Row]
    """In design order, then by check id; without passes where they were only counted."""
    checks: Mapping[str, AnyCheck]
    units: int = 0
    """PDUs and CDUs that were judged beside the nodes."""
    kept: Sequence[Any] = ()
    """What was made of the findings of single nodes, part by part, where they are not among `rows`."""
    looked: Sequence[Any] = ()
    """What was taken of the evidence of the nodes beside the findings."""
    order: Sequence[str] = ()
    """The names of the nodes in design order."""
    judged: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By node or unit: the ids of the checks that gave it a finding."""

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """The findings with their places."""
        yield from map(_PlacedFindings(self.checks).verdict, self.rows)

    @property
    def by_target(self) -> dict[str, NodeVerdicts]:
        """The verdicts by node and unit, of passes the names alone."""
        others: dict[str, list[Verdict]] = {name: [] for name in self.judged}
        placed = _PlacedFindings(self.checks)
        for row in self.rows:
            if row[2].outcome is not Outcome.PASS:
                others[row[0]].append(placed.verdict(row))
        passed = cache(_passed_checks)  # equal nodes share one tuple
        return {
            node: NodeVerdicts(passed(checks, tuple(finding.check for finding in others[node])), others[node])
            for node, checks in self.judged.items()
        }

    @property
    def sentences(self) -> Iterator[tuple[Outcome, str, str, str]]:
        """Outcome, check, node and sentence of every finding that is no pass: all that a terminal shows."""
        for node, name, finding, _ in self.rows:
            if finding.outcome is not Outcome.PASS:
                yield finding.outcome, name, node, sentence(finding, node)


class _PlacedFindings:
    """Findings with their places; the fields of one that many nodes share are read once."""

    def __init__(self, checks: Mapping[str, AnyCheck]) -> None:
        self._checks = checks
        self._read: dict[tuple[int, str], tuple[Finding, dict[str, Any]]] = {}
        """With the finding, so that no other one can take its place in memory."""

    def verdict(self, row: Row) -> Verdict:
        """The finding of a row with its place."""
        node, name, finding, raw = row
        if (id(finding), name) not in self._read:
            full = full_finding(node, name, finding)
            if SUBJECT not in full.says:  # it is of one node
                return verdict(name, self._checks[name], node, full, raw)
            fields = {"check": name, "target": "", "title": self._checks[name].title, **verdict_fields(full)}
            self._read[id(finding), name] = finding, fields
        fields = self._read[id(finding), name][1]
        says = fields["says"].replace(SUBJECT, node)
        return Verdict.unvalidated(**{**fields, "target": node, "says": says, "evidence": raw.split() if raw else []})


def _passed_checks(judged: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The checks in `judged` without `others`, in id order."""
    return tuple(sorted(set(judged).difference(others)))


def verdict(name: str, check: AnyCheck, node: str, finding: Finding, raw: str | None) -> Verdict:
    """A finding with its place; `raw` holds the hashes of its raw outputs, separated by spaces."""
    fields = {**verdict_fields(worded(finding)), "says": sentence(finding, node)}
    return Verdict.unvalidated(
        check=name, target=node, title=check.title, **fields, evidence=raw.split() if raw else []
    )


def full_finding(node: str, name: str, finding: Finding) -> Finding:
    """The finding in full, of the check called `name`."""
    try:
        return worded(finding)
    except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
        return crash_finding(node, name, error)


def join(
    expectations: Sequence[Expectation],
    parts: Sequence[PartJudgement],
    checks: Mapping[str, AnyCheck],
    *,
    passes: bool,
    judged_nodes: Collection[str] | None = None,
) -> Judgement:
    """The judgement of all of `judged_nodes` (default: all nodes), with the findings of fleet checks."""
    fleet = _Fleet(expectations, parts)
    compared = PartJudgement(passes, judged_nodes)
    for name, check in checks.items():
        if isinstance(check, FleetCheck):
            fleet.compare(name, check, compared)
    counts: Counter[Outcome] = Counter()
    by_node: dict[str, list[Row]] = {name: [] for name in fleet.order}
    for part in (*parts, compared):
        counts.update(part.counts)
        for row in part.rows:
            by_node[row[0]].append(row)
    rows = [row for node_rows in by_node.values() for row in sorted(node_rows, key=itemgetter(1))]
    nodes = len(expectations) if judged_nodes is None else len(set(judged_nodes).intersection(fleet.order))
    return Judgement(
        counts,
        nodes,
        rows,
        checks,
        kept=[part.kept for part in parts if part.kept is not None],
        looked=[some for part in parts for some in part.looked],
        order=list(fleet.order),
        judged={node: names for part in parts for node, names in part.judged.items()},
    )


class _Fleet:
    """All nodes, for fleet checks."""

    def __init__(self, expectations: Sequence[Expectation], parts: Sequence[PartJudgement]) -> None:
        days = {node: day for part in parts for node, day in part.as_of.items()}
        self._nodes = {
            expectation.node.name: replace(expectation, as_of=days.get(expectation.node.name, expectation.as_of))
            for expectation in expectations
        }
        self.order = {name: place for place, name in enumerate(self._nodes)}
        self._peers = [part.peers for part in parts]
        self._laid_out: dict[frozenset[CheckNames], tuple[list[PeerRow], list[tuple[Expectation, Any]]]] = {}

    def compare(self, name: str, check: FleetCheck[Any], judgement: PartJudgement) -> None:
        """Add the finding of one check for every node that it compares to `judgement`."""
        rows, peers = self._compared_rows(name)
        if not rows:
            return
        failure = next((values.failures[name] for values in self._peers if name in values.failures), None)
        findings: Mapping[str, Finding] = {}
        if failure is None:
            try:
                findings = check.judge(peers)
            except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
                failure = error
        for node, _, raw in rows:
            if failure is not None:
                finding = crash_finding(node, name, failure)
            elif node not in findings:
                finding = silent_finding(node, name)
            else:
                finding = findings[node]
            judgement.add(node, name, finding, raw)

    def _compared_rows(self, name: str) -> tuple[list[PeerRow], list[tuple[Expectation, Any]]]:
        """The values that a check compares, in design order, as rows and with expectations; laid out once for checks that share them."""
        shared = frozenset(names for values in self._peers for names in values.columns if name in names)
        if shared not in self._laid_out:
            rows = [row for values in self._peers for row in values.rows(name)]
            rows.sort(key=lambda row: self.order[row[0]])
            self._laid_out[shared] = rows, [(self._nodes[node], value) for node, value, _ in rows]
        return self._laid_out[shared]
