"""What fleet checks compare of some nodes, as it is sent to where all are compared.

Checks that take the same of a record (the same function) share one value: it is taken,
sent and held once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rackwright.model.base import Record
from rackwright.model.check import FleetCheck

CheckNames = tuple[str, ...]
"""Fleet checks that compare the same value."""
Takes = tuple[CheckNames, Callable[[Any], Any]]
PeerRow = tuple[str, Any, str | None]
"""Node, what is compared of it, hashes of the raw output."""


@dataclass
class PeerColumn:
    """One value of each node; ten thousand rows of three would weigh more than what is in them."""

    nodes: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    raws: list[str | None] = field(default_factory=list)
    """Hashes of the raw output."""


@dataclass
class PeerValues:
    """What some nodes gave to fleet checks."""

    columns: dict[CheckNames, PeerColumn] = field(default_factory=dict)
    failures: dict[str, Exception] = field(default_factory=dict)
    """By fleet check: what it crashed with, if it did."""

    def add(self, names: CheckNames, node: str, value: Any, raw: str | None) -> None:
        """Keep what the checks called `names` compare of a node."""
        column = self.columns.get(names)
        if column is None:
            column = self.columns[names] = PeerColumn()
        column.nodes.append(node)
        column.values.append(value)
        column.raws.append(raw)

    def take(self, takes: Sequence[Takes], node: str, record: Record, raw: str | None) -> None:
        """Keep what each of `takes` gives of a record."""
        for names, act in takes:
            try:
                value = act(record)
            except Exception as error:  # noqa: BLE001 - reported for every node when the parts are joined
                self.crashed(names, node, error, raw)
            else:
                self.add(names, node, value, raw)

    def crashed(self, names: CheckNames, node: str, error: Exception, raw: str | None) -> None:
        """Keep that these checks crashed on a node: nobody is compared by them."""
        for name in names:
            self.failures.setdefault(name, _portable(error))
        self.add(names, node, None, raw)

    def rows(self, name: str) -> list[PeerRow]:
        """What one check compares."""
        columns = [column for names, column in self.columns.items() if name in names]
        return [row for column in columns for row in zip(column.nodes, column.values, column.raws, strict=True)]


def takes(checks: Sequence[tuple[str, FleetCheck[Any]]]) -> list[Takes]:
    """Every way of taking that `checks`, which read the same kind of record, have, with the names of those that share it."""
    by_function: dict[int, list[tuple[str, FleetCheck[Any]]]] = {}
    for name, check in checks:
        by_function.setdefault(id(check.takes), []).append((name, check))
    return [(tuple(name for name, _ in some), some[0][1].takes) for some in by_function.values()]


def _portable(error: Exception) -> Exception:
    """The same words of an exception that can be sent between processes, whatever it is."""
    return (
        type(error)(str(error))
        if type(error).__module__ == "builtins"
        else RuntimeError(f"{type(error).__name__}: {error}")
    )
