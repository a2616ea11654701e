"""``rackwright design SITE``: everything that follows from a site, and whether it can be built so.

Prints a summary, JSON (``site``, ``totals``, ``verdicts``), one table, or writes all tables as CSV. Exits 1 when a rule
fails.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.cli import output, site
from rackwright.errors import ExitCode, OutsideError
from rackwright.model.verdict import Outcome, Verdict

if TYPE_CHECKING:
    import polars as pl

    from rackwright.model.design import Design

TABLES = [
    "racks",
    "devices",
    "nodes",
    "ports",
    "cables",
    "addresses",
    "circuits",
    "psus",
    "power",
    "cooling",
    "networks",
    "losses",
    "bill",
]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, what to print, where to write."""
    site.add_site(parser)
    parser.add_argument("--table", choices=TABLES, help="print this table as CSV instead of the summary")
    parser.add_argument("--out", metavar="DIR", help="write every table as CSV into DIR")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Expand, judge, print."""
    from rackwright.design import rules  # heavy; --help does not need it

    design = site.expand(site.load(args))
    verdicts = rules.run(design)
    if args.out:
        _write(design, Path(args.out))
    if args.table:
        print(_table(design, args.table).write_csv(), end="")
    elif args.format == "json":
        found = [verdict.model_dump(mode="json") for verdict in verdicts]
        output.emit({"site": design.site.site, "totals": design.totals, "verdicts": found})
    else:
        print("\n".join(_summary(design, verdicts)))
    return ExitCode.PROBLEMS if any(one.outcome is Outcome.FAIL for one in verdicts) else ExitCode.PASS


def _table(design: Design, name: str) -> pl.DataFrame:
    table: pl.DataFrame = design.node_table if name == "nodes" else getattr(design, name)
    return table


def _write(design: Design, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in TABLES:
            _table(design, name).write_csv(folder / f"{name}.csv")
    except OSError as error:
        raise OutsideError(f"{folder} cannot be written: {error.strerror}; name another folder with --out") from error


def _summary(design: Design, verdicts: Sequence[Verdict]) -> Iterable[str]:
    totals = design.totals
    yield f"Site {design.site.site} ({design.site.region})"
    yield ""
    yield f"  {totals['nodes']:>8} nodes        {totals['accelerators']:>8} accelerators   {totals['racks']:>6} racks"
    yield f"  {totals['it_kw']:>8.1f} kW peak IT  {totals['air_cfm']:>8} CFM of air"
    yield ""
    yield from _fabrics(design)
    yield ""
    yield from _racks(design)
    yield ""
    yield from _findings(verdicts)


def _fabrics(design: Design) -> Iterable[str]:
    yield f"  {'fabric':<10}{'switch':<10}{'leaf':>5}{'spine':>6}{'core':>5}{'to nodes':>10}{'between':>9}{'bisection':>14}"
    for fabric in design.site.fabrics:
        row = design.totals["fabrics"][fabric.name]
        counts = row["cables"]
        between = sum(count for kind, count in counts.items() if kind != "node_leaf")
        yield (
            f"  {fabric.name:<10}{fabric.switch:<10}{row['leaf']:>5}{row['spine']:>6}{row['core']:>5}"
            f"{counts['node_leaf']:>10}{between:>9}{row['bisection_gbps']:>9.0f} Gb/s"
        )


def _racks(design: Design) -> Iterable[str]:
    yield f"  {'rack':<14}{'place':<22}{'kind':<12}{'kW peak':>8}{'kg':>8}"
    for row in design.racks.iter_rows(named=True):
        place = f"{row['hall']} row {row['row']} no {row['position']}"
        kilowatts, kilograms = row["peak_watts"] / 1000, row["weight_kg"]
        yield f"  {row['rack']:<14}{place:<22}{row['kind']:<12}{kilowatts:>8.1f}{kilograms:>8.0f}"


def _findings(verdicts: Sequence[Verdict]) -> Iterable[str]:
    counts = Counter(verdict.outcome for verdict in verdicts)
    rules = len({verdict.check for verdict in verdicts})
    told = ", ".join(f"{counts[outcome]} {outcome.replace('_', ' ')}" for outcome in Outcome if counts[outcome])
    yield f"  {rules} design rules: {told}"
    for verdict in verdicts:
        if verdict.outcome is not Outcome.PASS:
            yield f"  {verdict.outcome.upper()} {verdict.check}: {verdict.says}"
