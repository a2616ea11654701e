"""A finding that holds for many nodes is made once: equal nodes of which a check read the same get the same finding.

Safe because a check is shown an
expectation that holds only what equal nodes share, and because it is noted which columns of the record it read (`watched`): it is a
function of both. A check that asks for more (name, rack, cables, owners of ports), that reads what differs on every node, or that
crashes, is judged for every node on its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rackwright.judge.access_recorder import MARK, Log, watched
from rackwright.judge.columns import Columns, Numbers
from rackwright.judge.memory import Findings, Memory, Named
from rackwright.judge.node_view import EXPECTATION, NODE, SUBJECT, Shown, shown
from rackwright.model.base import Record
from rackwright.model.check import Expectation
from rackwright.model.layout import Column
from rackwright.model.record_columns import Key
from rackwright.model.records import Held, OnSheet, kind
from rackwright.model.verdict import Finding, Outcome

PLAIN = (str, int)
"""Compared by value; everything else only with itself."""
TRIALS = 12
"""Records that a check may find new, before it counts as one that reads what differs on every node."""

Kind = int
"""Number of a kind of node."""


@dataclass
class _Group:
    """The checks of one kind of record on one kind of node."""

    equal: Shown
    shared: list[Memory]
    own: list[Named] = field(default_factory=list)
    last: tuple[Record, Findings] | None = None
    """The record that came last, held so that no other can take its place in memory."""
    reads: tuple[Column, ...] = ()
    """Every column that `shared` ever read."""
    known: dict[Key, Findings] = field(default_factory=dict)
    """By what stands in `reads`: what all of `shared` said of a row of a sheet."""
    hits: int = 0
    """How often it was known, by which each of `shared` was known too."""

    def learn(self) -> None:
        """After a record that was not known: checks that read what differs on every node leave, and what they read with them."""
        self.own += [(one.name, one.check) for one in self.shared if one.spent]
        self.shared = [one for one in self.shared if not one.spent]
        reads = tuple(dict.fromkeys(column for one in self.shared for column in one.reads))
        if reads != self.reads:
            self.reads, self.known = reads, {}


class Reuse:
    """Findings about the nodes of one process."""

    def __init__(self) -> None:
        self._numbers: dict[type[Record], Numbers] = defaultdict(Numbers)
        self._groups: dict[tuple[type[Any], Kind], _Group] = {}
        self._kinds: dict[tuple[Any, ...], tuple[Kind, tuple[Any, ...]]] = {}
        """With what each is told by: held, so that no other object can take its place in memory."""

    def kind(self, expectation: Expectation) -> Kind:
        """A number that equal nodes share."""
        node = expectation.node
        values = (*(getattr(node, one) for one in NODE), *(getattr(expectation, one) for one in EXPECTATION))
        cables = tuple((one.fabric, one.port, one.gbps) for one in expectation.links)
        told = (cables, *(one if isinstance(one, PLAIN) else id(one) for one in values))
        return self._kinds.setdefault(told, (len(self._kinds), values))[0]

    def judge(self, checks: Sequence[Named], of: Kind, expectation: Expectation, held: Held) -> Findings:
        """What `checks`, which all read records of this type, say of the one `held`; they are always the same ones."""
        group = self._groups.get((kind(held), of))
        if group is None:
            memories = [Memory(name, check) for name, check in checks]
            group = self._groups[kind(held), of] = _Group(shown(expectation), memories)
        if isinstance(held, OnSheet):
            return self._on_sheet(group, held)
        if group.last is None or group.last[0] is not held:
            group.last = held, self._judged(group, held)
        return group.last[1]

    def _on_sheet(self, group: _Group, held: OnSheet) -> Findings:
        found = group.known.get(held.sheet.keys(group.reads)[held.place])
        if found is not None:
            group.hits += 1
            return found
        found = self._judged(group, held.record)
        group.known[held.sheet.keys(group.reads)[held.place]] = found
        return found

    def _judged(self, group: _Group, record: Record) -> Findings:
        columns, found = Columns(record, self._numbers[type(record)]), Findings()
        new = False
        for memory in group.shared:
            said = memory.known(columns)
            if said is None:
                said, new = _asked(memory, group, record, columns), True
            else:
                memory.hits += 1
            if said is None:
                found.own.append((memory.name, memory.check))
            elif said.outcome is Outcome.PASS:
                found.passed += 1
            else:
                found.others.append((memory.name, said))
        found.own += group.own
        if new:
            group.learn()
        return found


def _asked(memory: Memory, group: _Group, record: Record, columns: Columns) -> Finding | None:
    """The finding, remembered; None when it is the node's own, which says nothing of the next one's."""
    memory.misses += 1
    if memory.misses > TRIALS and memory.hits + group.hits < memory.misses:
        memory.spent = True
        return None
    log: Log = {}
    try:
        found = memory.check.judge(group.equal, watched(record, log))  # type: ignore[arg-type]
    except Exception:  # noqa: BLE001 - whatever it was, the check is judged on its own, and then tells it itself
        memory.spent = True
        return None
    if not _shared(found):
        return None
    memory.keep(log, columns, found)
    return found


def _shared(found: Finding) -> bool:
    """Whether a finding holds for every node that reads the same. Of a pass nothing is kept but that it is one, so it may name what it likes."""
    if found.outcome is Outcome.PASS:
        return True
    told = (*found.model_dump(exclude={"says"}).values(), found.says.replace(SUBJECT, ""))
    return not any(MARK in str(one) for one in told)
