"""What one check said of the records that it has seen, so that it need not be asked again."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from rackwright.judge.access_recorder import Log
from rackwright.judge.columns import Columns, Slot
from rackwright.model.check import Check
from rackwright.model.verdict import Finding

Named = tuple[str, Check[Any]]
Step = Finding | tuple[Slot, dict[int, Any]]
"""What a check says, or the column that it reads next, and what follows from each of its values."""


@dataclass
class Findings:
    """What the checks of one kind of record say of a node."""

    passed: int = 0
    others: list[tuple[str, Finding]] = field(default_factory=list)
    """By check, those that are no pass."""
    own: list[Named] = field(default_factory=list)
    """Checks that are still to be judged, for this node alone."""


@dataclass(eq=False)
class Memory:
    """What one check said, as a tree of what it read."""

    name: str
    check: Check[Any]
    first: Step | None = None
    reads: Log = field(default_factory=dict)
    """Every column that it ever read."""
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
        self.reads |= log
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
