"""Findings that hold for many nodes: nodes of one kind whose records are equal in the columns that a check reads share its finding.

This is safe because a check gets a view of the node with only what equal nodes share (`node_view`), and because the columns that it reads
of the record are recorded (`access_recorder`): its finding is a function of both. A check that reads more (name, rack, cables, owners of
ports), that reads what differs on every node, or that crashes, is judged for every node alone; and so are the machines that report whole
subnets, of which a site has a few: to record what is read of a hundred thousand sensors takes longer than to judge them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Any

from rackwright.compare import network
from rackwright.judge.access_recorder import MARK, Log, recording_record
from rackwright.judge.columns import Columns, Numbers, Slot
from rackwright.judge.node_view import EXPECTATION, NODE, NodeView, node_view
from rackwright.model.base import Record
from rackwright.model.check import Check, Expectation
from rackwright.model.layout import Column
from rackwright.model.lazy_finding import worded
from rackwright.model.record_columns import Key
from rackwright.model.records import Held, OnSheet, kind
from rackwright.model.verdict import SUBJECT, Finding, Outcome

PLAIN = (str, int, date)
"""Compared by value; everything else by identity."""
TRIALS = 12
"""New records after which a check counts as one that reads what differs on every node."""

NodeKind = int
"""Number of a kind of node."""
NamedCheck = tuple[str, Check[Any]]
Step = Finding | tuple[Slot, dict[int, Any]]
"""The finding, or the column that the check reads next, with the step that follows each of its values."""
PASS = Finding(outcome=Outcome.PASS, observed="", expected="", source="", says="")
"""A pass that is only counted."""


@dataclass
class RecordFindings:
    """The findings of the checks of one kind of record on a node."""

    passed: int = 0
    """Passes that are only counted."""
    listed: list[tuple[str, Finding]] = field(default_factory=list)
    """By check: the other findings."""
    unshared: list[NamedCheck] = field(default_factory=list)
    """Checks that are to be judged for this node alone."""

    @cached_property
    def outcomes(self) -> Counter[Outcome]:
        """Of `listed`, which is complete; counted once for all nodes that share it."""
        return Counter(finding.outcome for _, finding in self.listed)


@dataclass(eq=False)
class CheckMemory:
    """The findings of one check, as a tree of the columns that it read."""

    name: str
    check: Check[Any]
    first: Step | None = None
    reads: Log = field(default_factory=dict)
    """Every column that it read for any record."""
    hits: int = 0
    misses: int = 0
    spent: bool = False
    """Whether it is judged for every node alone from now on."""

    def find(self, columns: Columns) -> Finding | None:
        """Its finding for a record that is equal in the columns that it reads."""
        step, values = self.first, columns.known
        while type(step) is tuple:
            slot, branches = step
            value = values.get(slot)
            step = branches.get(columns.find(slot) if value is None else value)
        return step  # type: ignore[return-value]

    def keep(self, log: Log, columns: Columns, finding: Finding) -> None:
        """Remember its finding for records that are equal in the columns of `log`."""
        self.reads |= log
        path = [(slot, columns.find(slot)) for slot in map(columns.slot, log)]
        if not path:
            self.first = finding
            return
        if self.first is None:
            self.first = path[0][0], {}
        step: Any = self.first
        for (_, value), (slot, _) in pairwise(path):
            step = step[1].setdefault(value, (slot, {}))
        step[1][path[-1][1]] = finding


@dataclass
class _Group:
    """The checks of one kind of record on one kind of node."""

    view: NodeView
    shared: list[CheckMemory]
    unshared: list[NamedCheck] = field(default_factory=list)
    last: tuple[Record, RecordFindings] | None = None
    """The last record, held so that no other one can take its place in memory."""
    reads: tuple[Column, ...] = ()
    """Every column that `shared` ever read."""
    by_key: dict[Key, RecordFindings] = field(default_factory=dict)
    """By the values of `reads`: the findings of `shared` for a row of a sheet."""
    hits: int = 0
    """How often `by_key` had the findings, each of which counts as a hit of every check."""

    def learn(self) -> None:
        """After a new record: move checks that read what differs on every node to `unshared`, and forget their columns."""
        self.unshared += [(memory.name, memory.check) for memory in self.shared if memory.spent]
        self.shared = [memory for memory in self.shared if not memory.spent]
        reads = tuple(dict.fromkeys(column for memory in self.shared for column in memory.reads))
        if reads != self.reads:
            self.reads, self.by_key = reads, {}


class SharedFindings:
    """Findings that the nodes of one process share."""

    def __init__(self, *, passes: bool) -> None:
        """`passes`: whether the findings of passes are kept, and not only counted."""
        self._passes = passes
        self._numbers: dict[type[Record], Numbers] = defaultdict(Numbers)
        self._groups: dict[tuple[type[Any], NodeKind], _Group] = {}
        self._kinds: dict[tuple[Any, ...], tuple[NodeKind, tuple[Any, ...]]] = {}
        """With the objects that are compared by identity: held, so that no other object can take their place in memory."""

    def kind(self, expectation: Expectation) -> NodeKind:
        """A number that equal nodes share."""
        node = expectation.node
        values = (*(getattr(node, name) for name in NODE), *(getattr(expectation, name) for name in EXPECTATION))
        cables = tuple((link.fabric, link.port, link.gbps) for link in expectation.links)
        key = (cables, *(value if isinstance(value, PLAIN) else id(value) for value in values))
        return self._kinds.setdefault(key, (len(self._kinds), values))[0]

    def judge(self, checks: Sequence[NamedCheck], of: NodeKind, expectation: Expectation, held: Held) -> RecordFindings:
        """The findings of `checks` for the record `held`; for one kind of record and node they are always the same checks."""
        group = self._groups.get((kind(held), of))
        if group is None:
            group = self._groups[kind(held), of] = _new_group(checks, expectation)
        if isinstance(held, OnSheet):
            return self._judge_row(group, held)
        if group.last is None or group.last[0] is not held:
            group.last = held, self._judge_record(group, held)
        return group.last[1]

    def _judge_row(self, group: _Group, held: OnSheet) -> RecordFindings:
        findings = group.by_key.get(held.sheet.keys(group.reads)[held.place])
        if findings is not None:
            group.hits += 1
            return findings
        findings = self._judge_record(group, held.record)
        group.by_key[held.sheet.keys(group.reads)[held.place]] = findings
        return findings

    def _judge_record(self, group: _Group, record: Record) -> RecordFindings:
        columns, findings = Columns(record, self._numbers[type(record)]), RecordFindings()
        learned = False
        for memory in group.shared:
            finding = memory.find(columns)
            if finding is None:
                finding, learned = self._judge_shared(memory, group, record, columns), True
            else:
                memory.hits += 1
            if finding is None:
                findings.unshared.append((memory.name, memory.check))
            elif finding is PASS:
                findings.passed += 1
            else:
                findings.listed.append((memory.name, finding))
        findings.unshared += group.unshared
        if learned:
            group.learn()
        return findings

    def _judge_shared(self, memory: CheckMemory, group: _Group, record: Record, columns: Columns) -> Finding | None:
        """The finding, remembered; None when it belongs to this node alone."""
        memory.misses += 1
        if memory.misses > TRIALS and memory.hits + group.hits < memory.misses:
            memory.spent = True
            return None
        log: Log = {}
        try:
            finding = memory.check.judge(group.view, recording_record(record, log))  # type: ignore[arg-type]
            finding = worded(finding) if self._passes or finding.outcome is not Outcome.PASS else PASS
        except Exception:  # noqa: BLE001 - whatever it was: the check is judged for the node alone, where a crash is a finding
            memory.spent = True
            return None
        if not _is_shared(finding):
            return None
        memory.keep(log, columns, finding)
        return finding


def _new_group(checks: Sequence[NamedCheck], expectation: Expectation) -> _Group:
    view = node_view(expectation)
    if network.manages_subnets(expectation):
        return _Group(view, [], [*checks])
    return _Group(view, [CheckMemory(name, check) for name, check in checks])


def _is_shared(finding: Finding) -> bool:
    """Whether a finding holds for every node that reads the same: it names nothing that belongs to this node alone."""
    words = (*finding.model_dump(exclude={"says"}).values(), finding.says.replace(SUBJECT, ""))
    return not any(MARK in str(word) for word in words)
