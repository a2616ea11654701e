"""``rackwright compare A B``: two sites side by side, with differences marked, or a site and what an observer says of where its nodes are.

Prints a table that fits 100 columns, or JSON (``a``, ``b``, ``rows``). Problems of both files are reported together. Of an observer:
`compare_places`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from rackwright import spec
from rackwright.base.errors import ExitCode, Problem, ProblemsError
from rackwright.cli import output, site

if TYPE_CHECKING:
    from rackwright.design.comparison import ComparisonRow
    from rackwright.design.comparison.figure import Value
    from rackwright.model.design import Design

NAME, COLUMN, CHANGE = 36, 25, 10
"""Widths; with the mark they fill 98 columns."""
WHOLE, PLACES = 1000, 100
"""From here on a number is shown without, and with one decimal place."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A, B and the output format."""
    parser.add_argument("a", metavar="A", help="a site file, or the folder that holds site.yaml")
    parser.add_argument(
        "b",
        metavar="B",
        help="the site to compare with it, or a file with what others say of its cables: `kubectl get nodes -o json`, topology.conf of Slurm,"
        " a vendor's cable list (xlsx, csv), cables or devices of NetBox (CSV, JSON, YAML)",
    )
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Expand both sites and compare them."""
    from rackwright.cli.design import compare_places
    from rackwright.design.comparison import compare_designs  # heavy; --help does not need it

    if (observed := compare_places.text_of(args.b)) is not None:
        return compare_places.run(args.a, args.b, observed, args.format)
    from rackwright.flow import cable_list

    if cable_list.is_list(Path(args.b)):
        from rackwright.cli.design import compare_list

        return compare_list.run(args.a, args.b, args.format)
    a, b = _designs(args.a, args.b)
    rows = compare_designs(a, b)
    if args.format == "json":
        output.emit(
            {
                "a": {"site": a.site.site, "path": args.a},
                "b": {"site": b.site.site, "path": args.b},
                "rows": [_plain_row(row) for row in rows],
            }
        )
    else:
        output.print_lines(_text(rows, [("A", a.site.site, args.a), ("B", b.site.site, args.b)]))
    return ExitCode.PASS


def _designs(*paths: str) -> list[Design]:
    """The designs of all files, or one error with the problems of all of them, each in the order of its lines."""
    designs: list[Design] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            designs.append(site.expand(spec.load(Path(path), to_design=True)))
        except ProblemsError as error:
            problems += error.problems
    if problems:
        error_of_all = ProblemsError(problems)
        error_of_all.problems = tuple(dict.fromkeys(problems))
        raise error_of_all
    return designs


def _plain_row(row: ComparisonRow) -> dict[str, Value]:
    names = {"subject": row.subject, "name": row.name, "unit": row.unit}
    return {**names, "a": row.a, "b": row.b, "differs": row.differs, "change": row.change}


def _text(rows: Sequence[ComparisonRow], sides: Iterable[tuple[str, str, str]]) -> Iterable[str]:
    for letter, name, path in sides:
        yield f"{letter}  {name}  ({path})"
    rows = [row for row in rows if row.a is not None or row.b is not None]
    differing = sum(row.differs for row in rows)
    yield f"{differing} of {len(rows)} figures differ; they are marked with *."
    yield ""
    yield f"  {'':<{NAME}}{'A':>{COLUMN}}{'B':>{COLUMN}}{'change':>{CHANGE}}"
    for subject, group in groupby(rows, key=lambda row: row.subject):
        yield subject
        yield from (_line(row) for row in group)


def _line(row: ComparisonRow) -> str:
    name = shorten(row.name + (f", {row.unit}" if row.unit else ""), NAME - 1, placeholder=" ...")
    change = "" if row.change is None or not row.differs else f"{row.change:+.1%}"
    mark = "*" if row.differs else " "
    return f"{mark} {name:<{NAME}}{_cell(row.a):>{COLUMN}}{_cell(row.b):>{COLUMN}}{change:>{CHANGE}}".rstrip()


def _cell(value: Value) -> str:
    """A value in the width of its column; a dash if it is missing or unknown."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return shorten(value, COLUMN - 1, placeholder="...")
    if isinstance(value, int) or abs(value) >= WHOLE:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= PLACES else f"{value:,.3g}"
