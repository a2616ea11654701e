"""A finding that holds for many nodes is made once: equal nodes of which a check read the same get the same finding.

In: checks, an expectation, a record. Out: `Findings`, whose sentences `named` gives their subject. Safe because a check is shown an
expectation that holds only what equal nodes share, and because it is noted which columns of the record it read (`watched`): it is a
function of both. A check that asks for more (name, rack, cables, owners of ports), that reads what differs on every node, or that
crashes, is judged for every node on its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from rackwright.judge.columns import Columns, Numbers, Slot
from rackwright.judge.watched import MARK, Log, watched
from rackwright.model.base import Record
from rackwright.model.check import Check, Expectation
from rackwright.model.design import Link, Node
from rackwright.model.verdict import Finding, Outcome

SUBJECT = f"{MARK}subject{MARK}"
"""Stands for the name of the node in a sentence; no tool prints such a word."""
PRINTED = ("remote_device", "remote_port", "remote_number", "cable")
"""What a check may print of a cable, and what no finding is shared over."""
NODE = ("pool", "role", "accelerators", "scheduler", "server", "accelerator")
"""What equal nodes share."""
EXPECTATION = ("software", "limits", "storage", "as_of", "baselines", "wiring", "owners")
LINK = ("fabric", "port", "gbps")
"""What the cables of equal nodes share: not where they end, and not how long they are."""
PLAIN = (str, int)
"""Compared by value; everything else only with itself."""
TRIALS = 12
"""Records that a check may find new, before it counts as one that reads what differs on every node."""

Kind = tuple[Any, ...]
Named = tuple[str, Check[Any]]
Step = Finding | tuple[Slot, dict[int, Any]]
"""What a check says, or the column that it reads next, and what follows from each of its values."""


class _PersonalError(Exception):
    """A check asked for what nodes do not share."""


class _Unread:
    """A word that may be printed and not looked at: where it was printed, the finding is the node's own."""

    def __str__(self) -> str:
        return f"{MARK}own{MARK}"

    __repr__ = __str__

    def __format__(self, wanted: str) -> str:
        return str(self)

    def __getattr__(self, name: str) -> Any:
        raise _PersonalError(name)

    def __eq__(self, other: object) -> bool:
        raise _PersonalError("==")

    def __hash__(self) -> int:
        raise _PersonalError("hash")

    def __bool__(self) -> bool:
        raise _PersonalError("bool")


class Shown:
    """An object of which only some fields can be seen."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise _PersonalError(name)


@dataclass
class Findings:
    """What the checks of one kind of record say of a node."""

    passed: int = 0
    others: list[tuple[str, Finding]] = field(default_factory=list)
    """By check, those that are no pass."""
    own: list[Named] = field(default_factory=list)
    """Checks that are still to be judged, for this node alone."""


@dataclass(eq=False)
class _Memory:
    """What one check said, as a tree of what it read."""

    name: str
    check: Check[Any]
    first: Step | None = None
    hits: int = 0
    misses: int = 0
    spent: bool = False
    """Whether it is judged for every node on its own from now on."""

    def known(self, columns: Columns) -> Finding | None:
        """What it said of a record with the same in the columns that it reads."""
        step, values = self.first, columns.known
        while type(step) is tuple:
            slot, branches = step
            value = values.get(slot)
            step = branches.get(columns.find(slot) if value is None else value)
        return step  # type: ignore[return-value]

    def keep(self, log: Log, columns: Columns, found: Finding) -> None:
        """Remember what it says where `log` was read."""
        path = [(slot, columns.find(slot)) for slot in map(columns.slot, log)]
        if not path:
            self.first = found
            return
        if self.first is None:
            self.first = path[0][0], {}
        step: Any = self.first
        for (_, value), (slot, _) in pairwise(path):
            step = step[1].setdefault(value, (slot, {}))
        step[1][path[-1][1]] = found


@dataclass
class _Group:
    """The checks of one kind of record on one kind of node."""

    equal: Shown
    shared: list[_Memory]
    own: list[Named]
    last: tuple[Record, Findings] | None = None
    """The record that came last, held so that no other can take its place in memory."""


class Reuse:
    """Findings about the nodes of one process."""

    def __init__(self) -> None:
        self._numbers: dict[type[Record], Numbers] = defaultdict(Numbers)
        self._groups: dict[tuple[type[Any], Kind], _Group] = {}
        self._kinds: dict[Kind, tuple[Any, ...]] = {}
        """With what each is told by: held, so that no other object can take its place in memory."""

    def kind(self, expectation: Expectation) -> Kind:
        """What equal nodes share, as a key."""
        node = expectation.node
        values = (*(getattr(node, one) for one in NODE), *(getattr(expectation, one) for one in EXPECTATION))
        cables = tuple((one.fabric, one.port, one.gbps) for one in expectation.links)
        kind = (cables, *(one if isinstance(one, PLAIN) else id(one) for one in values))
        self._kinds.setdefault(kind, values)
        return kind

    def judge(self, checks: Sequence[Named], kind: Kind, expectation: Expectation, record: Record) -> Findings:
        """What `checks`, which all read records of this type, say of `record`; they are always the same ones."""
        key = type(record), kind
        group = self._groups.get(key)
        if group is None:
            memories = [_Memory(name, check) for name, check in checks]
            group = self._groups[key] = _Group(shown(expectation), memories, [])
        if group.last is None or group.last[0] is not record:
            group.last = record, self._judged(group, record)
        return group.last[1]

    def _judged(self, group: _Group, record: Record) -> Findings:
        columns, found = Columns(record, self._numbers[type(record)]), Findings()
        spent = False
        for memory in group.shared:
            said = memory.known(columns)
            if said is None:
                said = _asked(memory, group.equal, record, columns)
            else:
                memory.hits += 1
            if said is None:
                found.own.append((memory.name, memory.check))
                spent = spent or memory.spent
            elif said.outcome is Outcome.PASS:
                found.passed += 1
            else:
                found.others.append((memory.name, said))
        found.own += group.own
        if spent:
            group.own += [(one.name, one.check) for one in group.shared if one.spent]
            group.shared = [one for one in group.shared if not one.spent]
        return found


def _asked(memory: _Memory, equal: Shown, record: Record, columns: Columns) -> Finding | None:
    """The finding, remembered; None when it is the node's own, which says nothing of the next one's."""
    memory.misses += 1
    if memory.misses > TRIALS and memory.hits < memory.misses:
        memory.spent = True
        return None
    log: Log = {}
    try:
        found = memory.check.judge(equal, watched(record, log))  # type: ignore[arg-type]
    except Exception:  # noqa: BLE001 - whatever it was, the check is judged on its own, and then tells it itself
        memory.spent = True
        return None
    if not _shared(found):
        return None
    memory.keep(log, columns, found)
    return found


def shown(expectation: Expectation) -> Shown:
    """What equal nodes share, and nothing else."""
    node: Node = expectation.node
    own = {one: getattr(expectation, one) for one in EXPECTATION}
    links = tuple(_link(link) for link in expectation.links)
    return Shown(
        {
            **own,
            "brief": True,
            "links": links,
            "subject": SUBJECT,
            "node": Shown({one: getattr(node, one) for one in NODE}),
        }
    )


def _link(link: Link) -> Shown:
    return Shown({**{one: getattr(link, one) for one in LINK}, **dict.fromkeys(PRINTED, _Unread())})


def _shared(found: Finding) -> bool:
    """Whether a finding holds for every node that reads the same. Of a pass nothing is kept but that it is one, so it may name what it likes."""
    if found.outcome is Outcome.PASS:
        return True
    told = (*found.model_dump(exclude={"says"}).values(), found.says.replace(SUBJECT, ""))
    return not any(MARK in str(one) for one in told)


def named(found: Finding, node: str) -> Finding:
    """The finding as it is said of `node`."""
    return found.model_copy(update={"says": found.says.replace(SUBJECT, node)}) if SUBJECT in found.says else found
