"""Rows of one metric beside each other: larger messages are not slower, and a node with a missing part does not pass.

The published figures of nodes with fewer accelerators are the signature of a missing
one: an H200 node with 7 of 8 ranks reaches more than most floors for 8.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rackwright.base.errors import Problem
from rackwright.base.tables import TableRow
from rackwright.compare.floors import REACHED
from rackwright.judge.limits import LimitTable, Metric, problem
from rackwright.model.check import Limit

SIZE = re.compile(r"(\d+(?:\.\d+)?) ?(B|KiB|MiB|GiB)")
BYTES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
"""IEC 80000-13."""


def lint(rows: Sequence[TableRow[Limit]], metric: Metric, table: LimitTable) -> Iterable[Problem]:
    """Problems that show when rows of `metric` are seen together."""
    if metric.judged in ("at_least", "at_most"):
        yield from _monotone(rows, table)
    if metric.judged == "at_least" and not metric.ranks_counted:
        yield from _missing_part(rows, table)


def size(text: str) -> float | None:
    """Bytes of a size as limits write it (``8GiB``); None when it is none."""
    match = SIZE.fullmatch(text)
    return float(match[1]) * BYTES[match[2]] if match else None


def lower_bound(table: LimitTable, limit: Limit) -> float | None:
    """What a part fails below: a measurement less its tolerance, any other floor as it is; None without a number."""
    if not isinstance(limit.value, int | float):
        return None
    policy = table.find("policy.floor_share") if limit.kind in REACHED else None
    return limit.value * policy.value if policy and isinstance(policy.value, int | float) else float(limit.value)


def _monotone(rows: Sequence[TableRow[Limit]], table: LimitTable) -> Iterable[Problem]:
    """Bandwidth and time both grow with the size; a measurement may stay behind by less than what makes a part degraded."""
    policy = table.find("policy.warn_share")
    share = policy.value if policy and isinstance(policy.value, int | float) else 1.0
    for group in _grouped_rows(rows, "size").values():
        sized = [(size(row.record.match["size"]), row) for row in group]
        best: TableRow[Limit] | None = None
        for _, row in sorted(((bytes_, limit_row) for bytes_, limit_row in sized if bytes_), key=lambda pair: pair[0]):
            value, most = _number(row), _number(best) if best else None
            if best and value is not None and most is not None and value < most * share:
                message = f"is lower than that of a smaller size at {best.place}"
                yield problem(row, "value", message, f"at least {most * share:g}", f"{value:g}")
            best = row if most is None or (value is not None and value > most) else best


def _missing_part(rows: Sequence[TableRow[Limit]], table: LimitTable) -> Iterable[Problem]:
    for group in _grouped_rows(rows, "accelerators").values():
        for row in group:
            floor = lower_bound(table, row.record)
            fewer = [peer for peer in group if _count(peer) < _count(row) and peer.record.kind == "measured"]
            passing = [peer for peer in fewer if floor is not None and (_number(peer) or 0) >= floor]
            if passing:
                most = max(passing, key=_count)
                count, value = most.record.match["accelerators"], most.record.value
                message = f"lets a node with {count} accelerators pass, which reaches {value} ({most.place})"
                yield problem(row, "value", message, "a higher floor, or a check that counts ranks", f"{floor:g}")


def _grouped_rows(
    rows: Iterable[TableRow[Limit]], but: str
) -> Mapping[frozenset[tuple[str, str]], list[TableRow[Limit]]]:
    """Rows that have the key `but`, by the rest of their match."""
    groups: dict[frozenset[tuple[str, str]], list[TableRow[Limit]]] = defaultdict(list)
    for row in rows:
        if but in row.record.match:
            groups[frozenset((key, value) for key, value in row.record.match.items() if key != but)].append(row)
    return groups


def _count(row: TableRow[Limit]) -> int:
    count = row.record.match["accelerators"]
    return int(count) if count.isdecimal() else 0


def _number(row: TableRow[Limit]) -> float | None:
    return row.record.value if isinstance(row.record.value, int | float) else None
