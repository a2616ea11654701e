"""The parts of a fleet put together: what its nodes are beside each other, and the tally of all.

Verdicts are made one by one when they are asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rackwright.judge.batch import Part, Row
from rackwright.judge.node_view import named, sentence
from rackwright.judge.peer_columns import Names
from rackwright.judge.peer_columns import Row as Taking
from rackwright.judge.run import crashed, silent, verdict
from rackwright.model.check import AnyCheck, Expectation, FleetCheck
from rackwright.model.lazy_findings import Answers
from rackwright.model.verdict import Finding, Outcome, Verdict


@dataclass(frozen=True)
class Tally:
    """What a fleet was judged."""

    counts: Counter[Outcome]
    nodes: int
    rows: Sequence[Row]
    checks: Mapping[str, AnyCheck]
    units: int = 0
    """PDUs and CDUs that were judged beside the nodes."""

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """Those that are no pass, in the order of `run`."""
        for node, name, said, raw in self.rows:
            yield verdict(name, self.checks[name], node, named(said, node), raw)

    @property
    def told(self) -> Iterator[tuple[Outcome, str, str, str]]:
        """Outcome, check, node and sentence of the same: all that a person is shown, and far less to make than verdicts are."""
        for node, name, said, _ in self.rows:
            yield said.outcome, name, node, sentence(said, node)


class Joining:
    """The parts of a fleet."""

    def __init__(self, expected: Sequence[Expectation], parts: Sequence[Part], checks: Mapping[str, AnyCheck]) -> None:
        days = {node: day for one in parts for node, day in one.as_of.items()}
        self._nodes = {one.node.name: replace(one, as_of=days.get(one.node.name, one.as_of)) for one in expected}
        self._order = {name: place for place, name in enumerate(self._nodes)}
        self._parts, self._checks = parts, checks
        self._taken: dict[frozenset[Names], tuple[list[Taking], list[tuple[Expectation, Any]]]] = {}

    @property
    def fleet_checks(self) -> list[str]:
        """Those that compare nodes."""
        return [name for name, check in self._checks.items() if isinstance(check, FleetCheck)]

    def compared(self, name: str) -> Part:
        """What one of them says of every node that it compares."""
        check, found = self._checks[name], Part()
        assert isinstance(check, FleetCheck), name
        rows, peers = self._peers(name)
        failure = next((one.taken.failures[name] for one in self._parts if name in one.taken.failures), None)
        said = _compared(name, check, peers, failure)
        passed = said.passed if isinstance(said, Answers) else frozenset()  # nobody reads their sentences: not made
        others = [(node, raw) for node, _, raw in rows if node not in passed]
        if len(others) < len(rows):
            found.counts[Outcome.PASS] = len(rows) - len(others)
        for node, raw in others:
            found.add(node, name, said.get(node) or silent(node, name), raw)
        return found

    def _peers(self, name: str) -> tuple[list[Taking], list[tuple[Expectation, Any]]]:
        """What a check compares, in the order of the design, as rows and with expectations; laid out once for checks that share it."""
        shared = frozenset(names for one in self._parts for names in one.taken.columns if name in names)
        if shared not in self._taken:
            rows = [row for one in self._parts for row in one.taken.rows(name)]
            rows.sort(key=lambda row: self._order[row[0]])
            self._taken[shared] = rows, [(self._nodes[node], value) for node, value, _ in rows]
        return self._taken[shared]

    def tally(self, compared: Iterable[Part]) -> Tally:
        """The tally of all nodes, with what `compared` gave for every fleet check."""
        counts: Counter[Outcome] = Counter()
        rows: list[Row] = []
        for one in (*self._parts, *compared):
            counts.update(one.counts)
            rows += one.rows
        rows.sort(key=lambda row: (self._order[row[0]], row[1]))
        return Tally(counts, len(self._nodes), rows, self._checks)


def _compared(
    name: str, check: FleetCheck[Any], peers: Sequence[tuple[Expectation, Any]], failure: Exception | None
) -> Mapping[str, Finding]:
    if failure is None:
        try:
            return check.judge(peers)
        except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
            failure = error
    return {one.node.name: crashed(one.node.name, name, failure) for one, _ in peers}
