"""Finds limits that are wrong although they are well-formed: published tables are full of them.

In: a `LimitTable` and the accelerator SKUs. Out: problems. A limit that no reading can miss is not a limit; a floor above
the link's own ceiling refuses every healthy part; parts with equal ceilings need comparable floors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import combinations

from rackwright.errors import Problem
from rackwright.judge.limits import LimitTable, Metric, problem
from rackwright.model.check import Limit
from rackwright.model.sku import Accelerator
from rackwright.tables import Row

KINDS = ("measured", "vendor", "operator", "derived")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def lint(table: LimitTable, accelerators: Mapping[str, Accelerator]) -> list[Problem]:
    """Every doubtful row of `table`, in order of place."""
    metrics = {row.record.metric: row.record for row in table.metrics}
    found: list[Problem] = []
    for name, rows in table.by_metric.items():
        metric = metrics[name]
        for row in rows:
            found += [*_form(row), *_cannot_fail(row, metric), *_above_ceiling(row, metric, accelerators)]
        found += _sisters(rows, metric, accelerators, table)
    return sorted(found)


def _form(row: Row[Limit]) -> Iterable[Problem]:
    if row.record.kind not in KINDS:
        yield problem(row, "kind", "is unknown", ", ".join(KINDS), row.record.kind)
    if not DATE.fullmatch(row.record.date):
        yield problem(row, "date", "is no ISO date", "YYYY-MM-DD", row.record.date)


def _cannot_fail(row: Row[Limit], metric: Metric) -> Iterable[Problem]:
    value = row.record.value
    if metric.judged in ("at_least", "at_most"):
        if not isinstance(value, int | float):
            yield problem(row, "value", "has the wrong type", "a number", repr(value))
        elif metric.judged == "at_least" and metric.least is not None and value <= metric.least:
            yield problem(row, "value", "cannot fail: no reading is lower", f"more than {metric.least:g}", f"{value:g}")
        elif metric.judged == "at_most" and metric.most is not None and value >= metric.most:
            yield problem(row, "value", "cannot fail: no reading is higher", f"less than {metric.most:g}", f"{value:g}")
        elif metric.judged == "at_most" and metric.least is not None and value < metric.least:
            yield problem(row, "value", "cannot be met: no reading is lower", f"{metric.least:g} or more", f"{value:g}")
    elif metric.judged in ("words", "version", "date") and not value:
        yield problem(row, "value", "cannot fail: it asks for nothing", "at least one word", repr(value))


def _above_ceiling(row: Row[Limit], metric: Metric, skus: Mapping[str, Accelerator]) -> Iterable[Problem]:
    value = row.record.value
    for part in _parts(row.record, skus):
        ceiling = getattr(part, metric.ceiling) if metric.ceiling else None
        if ceiling is not None and isinstance(value, int | float) and metric.judged == "at_least" and value > ceiling:
            yield problem(row, "value", f"is above the ceiling of {part.sku}", f"at most {ceiling:g}", f"{value:g}")


def _sisters(
    rows: list[Row[Limit]], metric: Metric, skus: Mapping[str, Accelerator], table: LimitTable
) -> Iterable[Problem]:
    policy = table.find("policy.sister_spread")
    if not metric.ceiling or policy is None or not isinstance(policy.value, int | float):
        return
    for row, other in combinations(rows, 2):
        shares = [_shares(one.record, metric, skus) for one in (row, other)]
        if not all(shares) or {*row.record.match} != {*other.record.match}:
            continue
        low, high = sorted((min(shares[0]), min(shares[1])))
        if high > low * policy.value:
            message = f"disagrees with its sister at {row.place}"
            yield problem(other, "value", message, f"within a factor {policy.value:g}", f"{high / low:.3g} times apart")


def _shares(limit: Limit, metric: Metric, skus: Mapping[str, Accelerator]) -> list[float]:
    """The limit as a share of the ceiling of every part it holds for: sisters ask for about the same share."""
    ceilings = [getattr(part, metric.ceiling) for part in _parts(limit, skus)]
    value = limit.value
    return [value / ceiling for ceiling in ceilings if ceiling and isinstance(value, int | float) and value > 0]


def _parts(limit: Limit, skus: Mapping[str, Accelerator]) -> list[Accelerator]:
    known = {"accelerator": "sku", "architecture": "architecture", "vendor": "vendor"}
    asked = {known[key]: value for key, value in limit.match.items() if key in known}
    return [part for part in skus.values() if all(getattr(part, field) == value for field, value in asked.items())]
