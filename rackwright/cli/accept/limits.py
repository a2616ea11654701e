"""``rackwright limits list|lint|show``: the limits that verdicts use, each with its source, and doubtful rows.

``lint`` exits 1 if it finds a doubtful row, or one that refuses a published healthy machine; ``show METRIC`` prints every row of a metric, or of a domain (``pcie``).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site

if TYPE_CHECKING:
    from rackwright.catalog import Catalog
    from rackwright.judge import LimitTable
    from rackwright.model.check import Limit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, and with which limits."""
    parser.add_argument("act", choices=["list", "lint", "show"], help="what to do")
    parser.add_argument("metric", metavar="METRIC", nargs="?", help="for show: a metric, or the domain before its dot")
    parser.add_argument("--limits", metavar="PATH", help="a file or folder of limits that override the built-in ones")
    parser.add_argument("--site", metavar="SITE", help="with the limits that this site brings in its folder")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Load, choose, print."""
    from rackwright import catalog, judge  # heavy; --help does not need it

    parts = site.load(args).catalog if args.site else catalog.load()
    base = judge.load_limits(roots=parts.roots)
    table = overlay_limits(args.limits, base) if args.limits else base
    if args.act == "lint":
        if args.metric:
            raise UsageError(f"limits lint {args.metric}: lint takes no METRIC; --limits PATH names a file to look at")
        return _lint(args, table, parts)
    if args.act == "show" and not args.metric:
        raise UsageError("limits show needs a METRIC: `rackwright limits list` lists them")
    chosen = _chosen_metrics(table, args.metric)
    if args.format == "json":
        output.emit({"metrics": [_as_data(table, name) for name in chosen]})
    elif args.act == "list":
        print("\n".join(_list_lines(table, chosen)))
    else:
        print("\n".join(line for name in chosen for line in _metric_lines(table, name)))
    return ExitCode.PASS


def limit_files(name: str) -> Sequence[Path]:
    """The limit files that an argument names. Raises UsageError for a folder without any."""
    path = Path(name)
    paths = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    if not paths:
        raise UsageError(f"--limits {name} holds no .yaml file: name a file of limits, or a folder of them")
    return paths


def overlay_limits(name: str, base: LimitTable) -> LimitTable:
    """`base` under the limits that ``--limits`` names. Raises UsageError if there are none, ProblemsError if one is invalid."""
    from rackwright import judge

    paths = limit_files(name)
    table = judge.load_limits(paths, base)
    overlaid = {str(file) for file in paths}
    places = (*(row.place for row in table.rows), *(row.place for row in table.metrics))
    if not any(place.rpartition(":")[0] in overlaid for place in places):
        raise UsageError(
            f"--limits {name} holds no limit: write rows as `rackwright limits list` names them, or leave it out"
        )
    return table


def _lint(args: argparse.Namespace, table: LimitTable, parts: Catalog) -> int:
    from rackwright import judge
    from rackwright.flow.limit_references import reference_problems

    problems = judge.lint_limits(table, parts.accelerators)
    shipped = not (args.limits or args.site)  # the author of overlaid limits answers for them
    problems += reference_problems(table, parts) if shipped else []
    if args.format == "json":
        output.emit({"rows": len(table.rows), "problems": [problem.as_dict() for problem in problems]})
    else:
        print(
            "\n".join([*(str(problem) for problem in problems), f"{len(table.rows)} limits, {len(problems)} doubtful"])
        )
    return ExitCode.PROBLEMS if problems else ExitCode.PASS


def _chosen_metrics(table: LimitTable, metric: str | None) -> list[str]:
    metrics = sorted(row.record.metric for row in table.metrics)
    matches = [name for name in metrics if metric in (None, name, name.partition(".")[0])]
    if not matches:
        near = get_close_matches(str(metric), metrics, n=1)
        hint = f"did you mean {near[0]}?" if near else "`rackwright limits list` lists them all"
        raise UsageError(f"there is no metric {metric!r}; {hint}")
    return matches


def _rows(table: LimitTable, name: str) -> list[Limit]:
    return [row.record for row in table.by_metric.get(name, [])]


def _as_data(table: LimitTable, name: str) -> dict[str, Any]:
    metric = next(row.record for row in table.metrics if row.record.metric == name)
    return {**metric.model_dump(), "limits": [row.model_dump(exclude_none=True) for row in _rows(table, name)]}


def _list_lines(table: LimitTable, names: Sequence[str]) -> Iterable[str]:
    records = {row.record.metric: row.record for row in table.metrics}
    for name in names:
        yield f"{name:<34} {len(_rows(table, name)):>3}  {records[name].unit:<10} {records[name].says}"
    yield f"{len(names)} metrics, {sum(len(_rows(table, name)) for name in names)} limits"


def _metric_lines(table: LimitTable, name: str) -> Iterable[str]:
    metric = next(row.record for row in table.metrics if row.record.metric == name)
    yield f"{name}: {metric.says} ({metric.judged.replace('_', ' ')}, {metric.unit})"
    for row in _rows(table, name):
        match = ", ".join(f"{key} {value}" for key, value in row.match.items()) or "everything"
        value = ", ".join(row.value) if isinstance(row.value, list) else f"{row.value} {row.unit}"
        counted = f", of {row.samples}" if row.samples else ""
        yield f"    {match}: {value}  ({row.kind}{counted}, {row.date}: {row.source})"
