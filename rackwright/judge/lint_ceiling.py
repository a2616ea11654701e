"""Floors against what the hardware can do, and sister parts against each other.

A floor above the link's own ceiling refuses every healthy part; one far below it tells nothing, and mostly has the wrong
unit; parts with equal ceilings need comparable floors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from rackwright.base.errors import Problem
from rackwright.base.tables import TableRow
from rackwright.judge.limits import LimitTable, Metric, problem
from rackwright.judge.lint_shape import lower_bound, size
from rackwright.model.check import Limit
from rackwright.model.sku import Accelerator

PARTS = {"accelerator": "sku", "architecture": "architecture", "vendor": "vendor"}
"""Key of a limit -> field of the accelerator that it chooses by."""

MESHES = ("infinity-fabric", "hccs")
"""Links that join each accelerator to each other one of its node; those of a switch all serve any pair."""


def lint(
    rows: Sequence[TableRow[Limit]], metric: Metric, skus: Mapping[str, Accelerator], table: LimitTable
) -> Iterable[Problem]:
    """Problems of the rows of `metric`, where it has a ceiling."""
    if metric.ceiling and metric.judged == "at_least":
        for row in rows:
            yield from _against_ceiling(row, metric, skus, table)
        yield from _sisters(rows, metric, skus, table)


def ceiling(part: Accelerator, name: str, table: LimitTable) -> float | None:
    """The most that one device of `part` can do, in the unit of its metric; None where the SKU does not tell. AttributeError for no field."""
    if name == "scale_up":
        links = part.nvlink_links * part.nvlink_gbytes_per_s_per_link
        return links or part.scale_up_gbytes_per_s or part.scale_up_links * part.scale_up_gbytes_per_s_per_link or None
    if name == "scale_up_pair":
        return (part.scale_up_gbytes_per_s_per_link if part.scale_up in MESHES else part.scale_up_gbytes_per_s) or None
    if name == "host_link":
        lane = table.find("pcie.lane_gbytes_per_s", generation=str(part.pcie_generation))
        return lane.value * part.pcie_width or None if lane and isinstance(lane.value, int | float) else None
    value = getattr(part, name)
    return float(value) if value else None


def _against_ceiling(
    row: TableRow[Limit], metric: Metric, skus: Mapping[str, Accelerator], table: LimitTable
) -> Iterable[Problem]:
    floor, value = lower_bound(table, row.record), row.record.value
    if floor is None or not isinstance(value, int | float):
        return
    share = _policy(table, "policy.ceiling_share", **row.record.match) or 1.0
    least = _policy(table, "policy.least_share", **row.record.match)
    large = _policy(table, "policy.large_bytes")
    size_bytes = size(row.record.match.get("size", ""))
    for part in _parts(row.record, skus):
        most = ceiling(part, metric.ceiling, table)
        if most is None:
            continue
        if value > most * share:
            yield problem(
                row, "value", f"is above the ceiling of {part.sku}", f"at most {most * share:g}", f"{value:g}"
            )
        elif (
            least is not None and floor < most * least and (size_bytes is None or large is None or size_bytes >= large)
        ):
            message = f"is far below the ceiling of {part.sku}: it tells nothing, or has the wrong unit"
            yield problem(row, "value", message, f"at least {most * least:g}", f"{floor:g}")


def _sisters(
    rows: Sequence[TableRow[Limit]], metric: Metric, skus: Mapping[str, Accelerator], table: LimitTable
) -> Iterable[Problem]:
    spread = _policy(table, "policy.sister_spread")
    if spread is None:
        return
    for row, sister in combinations(rows, 2):
        if remaining_match(row.record) != remaining_match(sister.record) or {*row.record.match} != {
            *sister.record.match
        }:
            continue
        shares = [_shares(limit_row.record, metric, skus, table) for limit_row in (row, sister)]
        if not all(shares):
            continue
        low, high = sorted((min(shares[0]), min(shares[1])))
        if high > low * spread:
            message = f"disagrees with its sister at {row.place}"
            yield problem(sister, "value", message, f"within a factor {spread:g}", f"{high / low:.3g} times apart")


def remaining_match(limit: Limit) -> dict[str, str]:
    """What a limit is of, besides the part."""
    return {key: value for key, value in limit.match.items() if key not in PARTS}


def _shares(limit: Limit, metric: Metric, skus: Mapping[str, Accelerator], table: LimitTable) -> list[float]:
    """The floor as a share of the ceiling of every part it holds for: sisters ask for about the same share."""
    floor = lower_bound(table, limit)
    ceilings = [ceiling(part, metric.ceiling, table) for part in _parts(limit, skus)]
    return [floor / most for most in ceilings if most and floor is not None and floor > 0]


def _parts(limit: Limit, skus: Mapping[str, Accelerator]) -> list[Accelerator]:
    match = {PARTS[key]: value for key, value in limit.match.items() if key in PARTS}
    return [
        part.per_device()
        for part in skus.values()
        if all(getattr(part, field) == value for field, value in match.items())
    ]


def _policy(table: LimitTable, metric: str, **key: str) -> float | None:
    row = table.find(metric, **key)
    return row.value if row is not None and isinstance(row.value, int | float) else None
