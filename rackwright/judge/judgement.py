"""The parts of a fleet put together: nodes are compared with each other, and findings become verdicts when they are read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    kept_comparisons: Sequence[Any] = ()
    """The same of the findings of fleet checks, check by check."""
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
        self._no_evidence: list[str] = []
        """Of every verdict without any: the ledger makes text of it once."""

    def verdict(self, row: Row) -> Verdict:
        """The finding of a row with its place."""
        node, name, finding, raw = row
        if (id(finding), name) not in self._read:
            if SUBJECT not in finding.says:  # it is of one node
                return verdict(name, self._checks[name], node, finding, raw)
            fields = {"check": name, "target": "", "title": self._checks[name].title, **verdict_fields(finding)}
            self._read[id(finding), name] = finding, fields
        fields = self._read[id(finding), name][1]
        says = fields["says"].replace(SUBJECT, node)
        evidence = raw.split() if raw else self._no_evidence
        return Verdict.unvalidated(**{**fields, "target": node, "says": says, "evidence": evidence})


def _passed_checks(judged: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The checks in `judged` without `others`, in id order."""
    return tuple(sorted(set(judged).difference(others)))


def verdict(name: str, check: AnyCheck, node: str, finding: Finding, raw: str | None) -> Verdict:
    """A finding with its place; `raw` holds the hashes of its raw outputs, separated by spaces."""
    fields = {**verdict_fields(finding), "says": sentence(finding, node)}
    return Verdict.unvalidated(
        check=name, target=node, title=check.title, **fields, evidence=raw.split() if raw else []
    )


Compare = Callable[[CheckNames], list[PartJudgement]]
"""The findings of fleet checks, check by check."""


def join(
    expectations: Sequence[Expectation],
    parts: Sequence[PartJudgement],
    checks: Mapping[str, AnyCheck],
    *,
    passes: bool,
    judged_nodes: Collection[str] | None = None,
    compare_all: Callable[[Compare, Sequence[CheckNames]], Iterable[list[PartJudgement]]] = map,
) -> Judgement:
    """The judgement of all of `judged_nodes` (default: all nodes), with the findings of fleet checks.

    `compare_all` runs a function for some fleet checks after others, as `map` does.
    """
    fleet = _Fleet(expectations, parts, checks, PartJudgement(passes, judged_nodes))
    compared = [judged for some in compare_all(fleet.compare, fleet.checks_by_value()) for judged in some]
    counts: Counter[Outcome] = Counter()
    by_node: dict[str, list[Row]] = {name: [] for name in fleet.order}
    for part in (*parts, *compared):
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
        kept_comparisons=[judged.kept for judged in compared if judged.kept is not None],
        looked=[some for part in parts for some in part.looked],
        order=list(fleet.order),
        judged={node: names for part in parts for node, names in part.judged.items()},
    )


class _Fleet:
    """All nodes, for fleet checks."""

    def __init__(
        self,
        expectations: Sequence[Expectation],
        parts: Sequence[PartJudgement],
        checks: Mapping[str, AnyCheck],
        empty: PartJudgement,
    ) -> None:
        """`empty` has no finding yet."""
        days = {node: day for part in parts for node, day in part.as_of.items()}
        self._nodes = {
            expectation.node.name: replace(expectation, as_of=days.get(expectation.node.name, expectation.as_of))
            for expectation in expectations
        }
        self.order = {name: place for place, name in enumerate(self._nodes)}
        self._peers = [part.peers for part in parts]
        self._checks, self._empty = checks, empty

    def checks_by_value(self) -> list[CheckNames]:
        """The fleet checks with values to compare; those that compare the same values stand together."""
        by_value: dict[frozenset[CheckNames], list[str]] = defaultdict(list)
        for name, check in self._checks.items():
            if isinstance(check, FleetCheck):
                values = frozenset(names for peers in self._peers for names in peers.columns if name in names)
                by_value[values].append(name)
        by_value.pop(frozenset(), None)
        return [tuple(names) for names in by_value.values()]

    def compare(self, names: CheckNames) -> list[PartJudgement]:
        """The findings of checks that compare the same values, for every node that has one."""
        rows = sorted(
            (row for peers in self._peers for row in peers.rows(names[0])), key=lambda row: self.order[row[0]]
        )
        values = [(self._nodes[node], value) for node, value, _ in rows]
        return [self._compare(name, rows, values) for name in names]

    def _compare(self, name: str, rows: Sequence[PeerRow], values: Sequence[tuple[Expectation, Any]]) -> PartJudgement:
        check: Any = self._checks[name]
        failure = next((peers.failures[name] for peers in self._peers if name in peers.failures), None)
        findings: Mapping[str, Finding] = {}
        if failure is None:
            try:
                findings = check.judge(values)
            except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
                failure = error
        judged = PartJudgement(self._empty.passes, self._empty.judged_nodes)
        for node, _, raw in rows:
            if failure is not None:
                finding = crash_finding(node, name, failure)
            elif node not in findings:
                finding = silent_finding(node, name)
            else:
                finding = _full_finding(node, name, findings[node]) if judged.passes else findings[node]
            judged.add(node, name, finding, raw)
        return judged


def _full_finding(node: str, name: str, finding: Finding) -> Finding:
    """The finding in full, of the check called `name`."""
    try:
        return worded(finding)
    except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
        return crash_finding(node, name, error)
