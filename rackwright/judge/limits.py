"""Limits as data: reads ``validators/limits/*.yaml`` and finds the row that holds for a part.

The most specific row whose whole match is met wins. Rows of one metric with
equally many keys must use the same keys, so that two rows never claim one part with equal right; the same match may be
given more than once only for versions of a library that do not overlap (``library: ">=2.24 <2.28"``, see `match`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import yaml

from rackwright.base import content, tables
from rackwright.base.errors import Problem, ProblemsError
from rackwright.base.tables import TableRow
from rackwright.judge.match import LIBRARY, has_all, overlap
from rackwright.model.base import Record
from rackwright.model.check import CALIBRATED, Limit


class Metric(Record):
    """What the rows of one metric mean: the linter reads it to find a limit that cannot fail."""

    metric: str
    unit: str
    judged: Literal["at_least", "at_most", "words", "version", "date", "table"]
    """How a check compares; `table` rows are looked up, not compared."""
    says: str
    least: float | int | None = None
    """Lowest reading that is possible."""
    most: float | int | None = None
    """Highest reading that is possible."""
    ceiling: str = ""
    """What a floor must stay below: a field of the accelerator SKU (``memory_gbytes_per_s``), ``scale_up`` for the sum of its
    links to other accelerators, ``host_link`` for its PCIe link, both per direction."""
    keyed: list[str] = []
    """Keys that every row must have (``size``), because the figure means nothing without them."""
    setting: bool = False
    """True for how it is measured or compared, of which no machine has a reading."""
    ranks_counted: bool = False
    """True when the check counts the ranks before it looks at the figure, so that a missing part cannot pass."""


@dataclass(frozen=True)
class LimitTable:
    """All limits, by metric."""

    metrics: tuple[TableRow[Metric], ...]
    rows: tuple[TableRow[Limit], ...]
    lapsed: Mapping[str, str] = field(default_factory=dict)
    """By server: why its calibrated limits are not among the rows."""

    def find(self, metric: str, **key: str) -> Limit | None:
        """The most specific row for `metric` under `key`; None when no row does.

        A calibrated row holds where no other does but an advisory one.
        """
        request = (metric, frozenset(key.items()))
        if request not in self._cache:  # a fleet asks the same of every node
            held = [row.record for row in self.by_metric.get(metric, ()) if has_all(row.record.match, key)]
            published = [limit for limit in held if limit.kind != CALIBRATED and not limit.advisory]
            calibrated = [limit for limit in held if limit.kind == CALIBRATED]
            self._cache[request] = max(
                published or calibrated or held, key=lambda limit: len(limit.match), default=None
            )
        return self._cache[request]

    def over(self, base: LimitTable) -> LimitTable:
        """`base` with these rows in the place of its rows of the same metric and match; the others are added."""
        published = (row.record for row in self.rows if row.record.kind != CALIBRATED)
        replaced = {(limit.metric, frozenset(limit.match.items())) for limit in published}
        rows = [r for r in base.rows if (r.record.metric, frozenset(r.record.match.items())) not in replaced]
        declared = {row.record.metric for row in self.metrics}
        metrics = (*(row for row in base.metrics if row.record.metric not in declared), *self.metrics)
        return LimitTable(metrics, (*rows, *self.rows), self.lapsed or base.lapsed)

    @cached_property
    def _cache(self) -> dict[tuple[str, frozenset[tuple[str, str]]], Limit | None]:
        """The rows that were looked up before."""
        return {}

    @cached_property
    def by_metric(self) -> dict[str, list[TableRow[Limit]]]:
        """Rows grouped by metric, in file order."""
        grouped: dict[str, list[TableRow[Limit]]] = defaultdict(list)
        for row in self.rows:
            grouped[row.record.metric].append(row)
        return grouped


def load(
    files: Sequence[Path] | None = None,
    base: LimitTable | None = None,
    *,
    only: bool = False,
    roots: content.Roots | None = None,
) -> LimitTable:
    """The limits of `roots`: the shipped ones, or `files` in their place, with those of a site laid over them; of `files` alone without `roots`.

    With `base` they are laid over those of `base`; `only` gives the rows of `files` alone, read against the metrics of `base`: a baseline.

    Raises ProblemsError with every row that is refused: by its schema, without a metric, with another unit than its
    metric, without source or date, given twice, or as specific as a row with other keys.
    """
    shipped, *sites = roots or content.shipped()
    table = _load(_files(shipped) if files is None else files, base, only=only)
    for files_of_site in filter(None, map(_files, sites)):
        table = _load(files_of_site, table)
    return table


def _files(root: Path) -> list[Path]:
    return sorted((root / "validators" / "limits").glob("*.yaml"))


def _load(files: Sequence[Path], base: LimitTable | None, *, only: bool = False) -> LimitTable:
    metrics: list[TableRow[Metric]] = []
    rows: list[TableRow[Limit]] = []
    problems: list[Problem] = []
    for path in files:
        try:
            tables_of_file = tables.load_tables(path, {"metrics": Metric, "limits": Limit})
        except ProblemsError as error:
            problems += error.problems
        else:
            metrics += tables_of_file["metrics"]
            rows += tables_of_file["limits"]
    loaded = LimitTable(tuple(metrics), tuple(rows))
    problems += [problem for group in loaded.by_metric.values() for problem in _ambiguous(group)] if base else []
    table = loaded.over(base) if base else loaded
    problems += _undeclared_metrics(table) if not problems else []
    problems += [problem for group in table.by_metric.values() for problem in _ambiguous(group)]
    if problems:
        raise ProblemsError(problems)
    return loaded if only else table


def problem(row: TableRow[Limit], field: str, message: str, expected: str, value: str) -> Problem:
    """A problem of one row, at its line."""
    path = f"{row.record.metric}.{field}"
    return Problem(row.place, path, message, expected, value, "mend the row, or remove it", "limits.refused")


def _undeclared_metrics(table: LimitTable) -> Iterable[Problem]:
    metrics = {row.record.metric: row.record for row in table.metrics}
    for row in table.rows:
        limit = row.record
        metric = metrics.get(limit.metric)
        if metric is None:
            yield problem(row, "metric", "is not declared", "a row under `metrics`", limit.metric)
        elif metric.unit != limit.unit:
            yield problem(row, "unit", "differs from its metric", metric.unit, limit.unit)
        for name in ("source", "date"):
            if not getattr(limit, name).strip():
                yield problem(row, name, "is empty", "where and when the number was read", "nothing")
        calibrated = limit.kind == CALIBRATED
        if calibrated and not ("server" in limit.match and limit.origin and limit.samples):
            yield problem(
                row,
                "origin",
                "is not whole",
                "a server, samples and origin, as `judge --calibrate` writes",
                "a calibrated row",
            )
        if limit.origin and not calibrated:
            yield problem(row, "kind", "is not that of its origin", CALIBRATED, limit.kind)


def _ambiguous(group: list[TableRow[Limit]]) -> Iterable[Problem]:
    """Rows that claim one part with equal right; a calibrated row never has the right of a published one."""
    for calibrated in (False, True):
        yield from _repeated_rows([row for row in group if (row.record.kind == CALIBRATED) == calibrated])


def _repeated_rows(group: list[TableRow[Limit]]) -> Iterable[Problem]:
    first: dict[frozenset[tuple[str, str]], list[TableRow[Limit]]] = defaultdict(list)
    keys: dict[int, tuple[frozenset[str], TableRow[Limit]]] = {}
    for row in group:
        match = row.record.match
        unmatched = frozenset((key, value) for key, value in match.items() if key != LIBRARY)
        twins = [row for row in first[unmatched] if overlap(match.get(LIBRARY), row.record.match.get(LIBRARY))]
        first[unmatched].append(row)
        if twins:
            yield problem(row, "match", "is given twice", "one row per key", f"the same match at {twins[0].place}")
        names, twin = keys.setdefault(len(match), (frozenset(match), row))
        if names != frozenset(match):
            yield problem(row, "match", "is as specific as a row with other keys", ", ".join(sorted(names)), twin.place)


def limits_text(rows: Iterable[Limit]) -> str:
    """`rows` as a limits file."""
    table = {"limits": [row.model_dump(exclude_none=True) for row in rows]}
    return yaml.safe_dump(table, sort_keys=False, allow_unicode=True, width=120)
