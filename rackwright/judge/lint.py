"""Finds limits that are wrong although they are well-formed: published tables are full of them.

Here stand the rules on one row; `lint_ceiling` compares floors with
what the hardware can do and sister parts with each other, `lint_shape` looks at rows of one metric together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rackwright.base.errors import Problem
from rackwright.base.tables import TableRow
from rackwright.judge import lint_ceiling, lint_shape
from rackwright.judge.limits import LimitTable, Metric, problem
from rackwright.judge.match import LIBRARY, bounds
from rackwright.model.check import CALIBRATED, Limit
from rackwright.model.sku import Accelerator

KINDS = ("measured", CALIBRATED, "vendor", "operator", "derived")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
MODEL = ("accelerator", "architecture", "server")
"""Keys that say which model a limit is of."""


def lint(table: LimitTable, accelerators: Mapping[str, Accelerator]) -> list[Problem]:
    """Every doubtful row of `table`, in order of place."""
    metrics = {row.record.metric: row.record for row in table.metrics}
    problems: list[Problem] = []
    for name, rows in table.by_metric.items():
        metric = metrics[name]
        for row in rows:
            problems += [
                *_form(row),
                *_keys(row, metric),
                *_cannot_fail(row, metric, lint_shape.lower_bound(table, row.record)),
            ]
        problems += lint_ceiling.lint(rows, metric, accelerators, table)
        problems += lint_shape.lint(rows, metric, table)
    return sorted(problems)


def _form(row: TableRow[Limit]) -> Iterable[Problem]:
    limit = row.record
    if limit.kind not in KINDS:
        yield problem(row, "kind", "is unknown", ", ".join(KINDS), limit.kind)
    if not DATE.fullmatch(limit.date):
        yield problem(row, "date", "is no ISO date", "YYYY-MM-DD", limit.date)
    if LIBRARY in limit.match and bounds(limit.match[LIBRARY]) is None:
        yield problem(row, "match.library", "is no range of versions", ">=2.24 <2.28", limit.match[LIBRARY])
    if "size" in limit.match and lint_shape.size(limit.match["size"]) is None:
        yield problem(row, "match.size", "is no size", "a number with B, KiB, MiB or GiB", limit.match["size"])


def _keys(row: TableRow[Limit], metric: Metric) -> Iterable[Problem]:
    match = row.record.match
    if metric.ceiling and not any(key in match for key in MODEL):
        yield problem(row, "match", "says no model, and the metric depends on it", " or ".join(MODEL), _key_text(match))
    missing = [key for key in metric.keyed if key not in match]
    if missing:
        yield problem(
            row, "match", "lacks a key that the figure means nothing without", ", ".join(missing), _key_text(match)
        )


def _key_text(match: Mapping[str, str]) -> str:
    return ", ".join(f"{key} {value}" for key, value in match.items()) or "no key"


def _cannot_fail(row: TableRow[Limit], metric: Metric, floor: float | None) -> Iterable[Problem]:
    """`floor` is the bound that the row gives, with the tolerance of a measurement taken off."""
    value = row.record.value
    if metric.judged in ("at_least", "at_most"):
        if not isinstance(value, int | float):
            yield problem(row, "value", "has the wrong type", "a number", repr(value))
        elif metric.judged == "at_least" and metric.least is not None and (floor or value) <= metric.least:
            yield problem(row, "value", "cannot fail: no reading is lower", f"more than {metric.least:g}", f"{value:g}")
        elif metric.judged == "at_least" and metric.most is not None and value > metric.most:
            yield problem(row, "value", "cannot be met: no reading is higher", f"{metric.most:g} or less", f"{value:g}")
        elif metric.judged == "at_most" and metric.most is not None and value >= metric.most:
            yield problem(row, "value", "cannot fail: no reading is higher", f"less than {metric.most:g}", f"{value:g}")
        elif metric.judged == "at_most" and metric.least is not None and value < metric.least:
            yield problem(row, "value", "cannot be met: no reading is lower", f"{metric.least:g} or more", f"{value:g}")
    elif metric.judged in ("words", "version", "date") and not value:
        yield problem(row, "value", "cannot fail: it asks for nothing", "at least one word", repr(value))
