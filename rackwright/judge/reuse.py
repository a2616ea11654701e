"""A finding that holds for many nodes is made once: equal nodes that said the same, to the byte, get the same finding.

In: a check, an expectation, a record. Out: a `Finding`, whose sentence `named` gives its subject. Safe because a check is shown an
expectation that holds only what equal nodes share: one that asks for more (name, rack, cables, owners of ports) is judged for
every node on its own, and so is one that crashes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rackwright.model.check import Check, Expectation
from rackwright.model.design import Node
from rackwright.model.verdict import Finding

SUBJECT = "\0subject\0"
"""Stands for the name of the node in a sentence; no tool prints such a word."""
NODE = ("pool", "role", "accelerators", "scheduler", "server", "accelerator")
"""What equal nodes share."""
EXPECTATION = ("software", "limits", "storage", "as_of", "baselines")
PLAIN = (str, int)
"""Compared by value; everything else only with itself."""

Kind = tuple[Any, ...]


class _PersonalError(Exception):
    """A check asked for what nodes do not share."""


class _Shown:
    """A record of which only some fields can be seen."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise _PersonalError(name)


class Reuse:
    """Findings about the nodes of one process."""

    def __init__(self) -> None:
        self._seen: dict[type[Any], tuple[Any, str]] = {}
        """By type of record: the one that came last, and the first node that had it. It is held, so that no other can take
        its place in memory."""
        self._findings: dict[type[Any], dict[tuple[str, Kind], Finding | None]] = {}
        """Of that record; None where the check is personal."""
        self._kinds: dict[Kind, tuple[Kind, _Shown]] = {}

    def judge(self, name: str, check: Check[Any], expectation: Expectation, record: Any) -> Finding:
        """What `check` says of `record`; the same as its `judge`, but for the subject."""
        kind, node = check.reads, expectation.node.name
        last, first = self._seen.get(kind, (None, ""))
        if last is not record:
            self._seen[kind], self._findings[kind] = (record, node), {}
        if last is not record or first == node:  # no other node has it yet, and most records are of one node alone
            return check.judge(expectation, record)
        known = self._findings[kind]
        alike, shown = self._kind(expectation)
        key = (name, alike)
        if key not in known:
            known[key] = _shared(lambda: check.judge(shown, record))  # type: ignore[arg-type]
        found = known[key]
        return check.judge(expectation, record) if found is None else found

    def _kind(self, expectation: Expectation) -> tuple[Kind, _Shown]:
        node = expectation.node
        values = (*(getattr(node, one) for one in NODE), *(getattr(expectation, one) for one in EXPECTATION))
        key = tuple(one if isinstance(one, PLAIN) else id(one) for one in values)
        if key not in self._kinds:
            self._kinds[key] = key, _shown(expectation, node)
        return self._kinds[key]


def _shown(expectation: Expectation, node: Node) -> _Shown:
    own = {one: getattr(expectation, one) for one in EXPECTATION}
    return _Shown({**own, "subject": SUBJECT, "node": _Shown({one: getattr(node, one) for one in NODE})})


def _shared(judge: Callable[[], Finding]) -> Finding | None:
    """The finding when it is no node's own; a crash is told by the check itself, when it is asked again."""
    try:
        found = judge()
    except Exception:  # noqa: BLE001 - whatever it was, the node is judged on its own
        return None
    others = found.model_dump(exclude={"says"}).values()
    return None if any(SUBJECT in str(one) for one in others) else found


def named(found: Finding, node: str) -> Finding:
    """The finding as it is said of `node`."""
    return found.model_copy(update={"says": found.says.replace(SUBJECT, node)}) if SUBJECT in found.says else found
