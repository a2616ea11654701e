"""A large fleet judged in parts: the same verdicts as `run`, of which only those that are no pass are kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rackwright.judge.memory import Named
from rackwright.judge.node_view import SUBJECT, Shown, shown
from rackwright.judge.peer_columns import Taken, Takes, takes
from rackwright.judge.reuse import Kind, Reuse
from rackwright.judge.run import crashed, unseen
from rackwright.model.base import Record
from rackwright.model.check import AnyCheck, Check, Expectation, FleetCheck, NodeEvidence
from rackwright.model.records import Held, record
from rackwright.model.verdict import Finding, Outcome

Row = tuple[str, str, Finding, str | None]
"""Node, check, what it says (see `shown.named`), hashes of the raw output."""


@dataclass
class Part:
    """What some nodes gave."""

    counts: Counter[Outcome] = field(default_factory=Counter)
    rows: list[Row] = field(default_factory=list)
    """Of checks of single nodes, without those that passed."""
    taken: Taken = field(default_factory=Taken)
    """What fleet checks compare of them."""
    as_of: dict[str, str] = field(default_factory=dict)
    """By node: the day of its evidence."""

    def add(self, node: str, check: str, finding: Finding, raw: str | None) -> None:
        """Count a finding, and keep it when it is no pass."""
        self.counts[finding.outcome] += 1
        if finding.outcome is not Outcome.PASS:
            self.rows.append((node, check, finding, raw))


@dataclass
class _Asked:
    """The checks that read one kind of record, as far as they apply to one kind of node."""

    single: list[Named] = field(default_factory=list)
    fleet: list[tuple[str, FleetCheck[Any]]] = field(default_factory=list)
    takes: list[Takes] = field(default_factory=list)
    """What `fleet` takes of a record."""
    personal: list[tuple[str, AnyCheck]] = field(default_factory=list)
    """Whether they apply is to be asked for every node."""


class Judge:
    """Judges nodes part by part; what was found of some is not found again of others."""

    def __init__(self, checks: Mapping[str, AnyCheck]) -> None:
        self._kinds = {check.reads.__name__ for check in checks.values()}
        self._reads: dict[type[Record], dict[str, AnyCheck]] = defaultdict(dict)
        for name, check in sorted(checks.items()):
            self._reads[check.reads][name] = check
        self._reuse = Reuse()
        self._asked: dict[Kind, dict[type[Record], _Asked]] = {}
        self._missing: dict[type[Record], Finding] = {}

    def part(self, expected: Sequence[Expectation], evidence: Mapping[str, NodeEvidence]) -> Part:
        """What the nodes of `expected` give."""
        found = Part()
        by_record: dict[type[Record], list[tuple[_Asked, Kind, Expectation, NodeEvidence | None]]] = defaultdict(list)
        for undated in expected:
            seen = evidence.get(undated.node.name)
            expectation = replace(undated, as_of=seen.taken[:10], brief=True) if seen is not None else undated
            found.as_of[expectation.node.name] = expectation.as_of
            kind = self._reuse.kind(expectation)
            if kind not in self._asked:
                self._asked[kind] = self._applying(shown(expectation))
            for reads, asked in self._asked[kind].items():
                by_record[reads].append((asked, kind, expectation, seen))
        # One kind of record after the other: the processor keeps the code of its checks at hand.
        for reads, nodes in by_record.items():
            for asked, kind, expectation, seen in nodes:
                self._read(reads, asked, kind, expectation, seen, found)
        return found

    def _unseen(self, check: AnyCheck, node: str, seen: NodeEvidence | None) -> Finding:
        """Why there is nothing to judge; what was never taken is said once for all nodes, whole fleets miss an optional test."""
        if seen is not None and seen.errors:
            return unseen(node, check, seen, self._kinds)
        if check.reads not in self._missing:
            self._missing[check.reads] = unseen(SUBJECT, check, seen, self._kinds)
        return self._missing[check.reads]

    def _applying(self, equal: Shown) -> dict[type[Record], _Asked]:
        found = {}
        for reads, checks in self._reads.items():
            asked = found[reads] = _Asked()
            for name, check in checks.items():
                try:
                    applies = check.applies(equal)  # type: ignore[arg-type]
                except Exception:  # noqa: BLE001 - it asks for what equal nodes do not share, or crashes: asked again
                    asked.personal.append((name, check))
                    continue
                if applies:
                    _sort(name, check, asked)
            asked.takes = takes(asked.fleet)
        return found

    def _read(
        self,
        reads: type[Record],
        known: _Asked,
        kind: Kind,
        expectation: Expectation,
        seen: NodeEvidence | None,
        found: Part,
    ) -> None:
        node, held = expectation.node.name, seen.held(reads) if seen is not None else None
        raw = seen.raw.get(reads) if seen is not None else None
        asked = _of_node(known, expectation, seen, found) if known.personal else known
        if held is None:
            missed: list[tuple[str, AnyCheck]] = [*asked.single, *asked.fleet]
            for name, check in missed:
                found.add(node, name, self._unseen(check, node, seen), raw)
            return
        if asked.takes:
            found.taken.take(asked.takes, node, record(held), raw)
        if known.single:
            said = self._reuse.judge(known.single, kind, expectation, held)
            found.counts[Outcome.PASS] += said.passed
            found.rows += [(node, name, finding, raw) for name, finding in said.others]
            found.counts.update(finding.outcome for _, finding in said.others)
            _own(said.own, expectation, held, raw, found)
        if known.personal:
            _own(asked.single[len(known.single) :], expectation, held, raw, found)


def _sort(name: str, check: AnyCheck, asked: _Asked) -> None:
    if isinstance(check, FleetCheck):
        asked.fleet.append((name, check))
    elif isinstance(check, Check):
        asked.single.append((name, check))


def _of_node(known: _Asked, expectation: Expectation, seen: NodeEvidence | None, found: Part) -> _Asked:
    """`known` with the checks that apply to this node; what crashes when it is asked is said at once."""
    asked = _Asked([*known.single], [*known.fleet])
    for name, check in known.personal:
        try:
            applies = check.applies(expectation)
        except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
            _crashed(name, check, expectation.node.name, error, seen, found)
            continue
        if applies:
            _sort(name, check, asked)
    asked.takes = takes(asked.fleet)
    return asked


def _crashed(name: str, check: AnyCheck, node: str, error: Exception, seen: NodeEvidence | None, found: Part) -> None:
    """A check that cannot say whether it applies."""
    raw = seen.raw.get(check.reads) if seen is not None else None
    if seen is not None and isinstance(check, FleetCheck):
        found.taken.crashed((name,), node, error, raw)
    else:
        found.add(node, name, crashed(node, name, error), raw)


def _own(checks: Sequence[Named], expectation: Expectation, held: Held, raw: str | None, found: Part) -> None:
    for name, check in checks:
        found.add(expectation.node.name, name, judged(name, check, expectation, record(held)), raw)


def judged(name: str, check: Check[Any], expectation: Expectation, record: Record) -> Finding:
    """What a check that applies says of a record."""
    try:
        return check.judge(expectation, record)
    except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
        return crashed(expectation.node.name, name, error)
