"""The usual value of a group of nodes, and the nodes with other values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from rackwright.model.hostlist import natural_key

_V = TypeVar("_V")


@dataclass(frozen=True)
class NodeDifference:
    """One node that differs from its peers."""

    host: str
    what: str
    value: str
    usual: str
    share: str
    """How many of the nodes have the usual value (``3 of 4``)."""


def usual(values: Iterable[_V]) -> _V | None:
    """The most frequent value; of several the largest, with numbers in texts compared as numbers.

    None without values.
    """
    counts = Counter(values)
    return max(counts, key=lambda value: (counts[value], _rank(value)), default=None)


def _rank(value: Any) -> Any:
    return natural_key(value) if isinstance(value, str) else value


def differences(
    what: str,
    by_host: Mapping[str, _V],
    text: Callable[[_V], str] = str,
    same: Callable[[_V, _V], bool] = lambda value, common: value == common,
) -> list[NodeDifference]:
    """The nodes whose value is not the usual one."""
    common = usual(by_host.values())
    if common is None:
        return []
    others = {host: value for host, value in by_host.items() if not same(value, common)}
    share = f"{len(by_host) - len(others)} of {len(by_host)}"
    return [NodeDifference(host, what, text(value), text(common), share) for host, value in others.items()]
