"""``rackwright cables SITE``: documents for the cabling crew.

Prints the schedule in pull order (text, JSON or CSV) with totals by part and length at the end, the port map of a rack, or
writes the labels of both ends of every cable as print sheets (HTML) or for a label printer (CSV).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ExitCode, OutsideError, UsageError
from rackwright.cli import output, site

if TYPE_CHECKING:
    import polars as pl

SUFFIXES = (".html", ".csv")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, which cables, what to print."""
    site.add_site(parser)
    parser.add_argument("--rack", metavar="RACK", help="only cables with an end in this rack")
    parser.add_argument("--fabric", metavar="FABRIC", help="only cables of this fabric")
    parser.add_argument("--port-map", metavar="RACK", help="print every port of this rack instead of the schedule")
    parser.add_argument("--labels", metavar="FILE", help="write labels to FILE.html (print sheets) or FILE.csv")
    parser.add_argument("--format", choices=["text", "json", "csv"], default="text", help="for people or for scripts")


def run(args: argparse.Namespace) -> int:
    """Expand, select, print."""
    if args.labels and not args.labels.endswith(SUFFIXES):
        raise UsageError(f"--labels {args.labels}: name a file that ends in {' or '.join(SUFFIXES)}")
    from rackwright.design import schedule  # heavy; --help does not need it

    design = site.expand(site.load(args, to_design=True))
    racks = design.racks["rack"].to_list()
    _check_name("--rack", args.rack, racks)
    _check_name("--port-map", args.port_map, racks)
    _check_name("--fabric", args.fabric, [fabric.name for fabric in design.site.fabrics])
    name = design.site.site
    if args.port_map:
        table = schedule.port_map(design, args.port_map)
        _print(args.format, table, {"site": name, "rack": args.port_map, "ports": table.to_dicts}, _ports(table))
        return ExitCode.PASS
    cables = _select(schedule.cables(design), args.rack, args.fabric)
    totals = schedule.totals(cables)
    if args.labels:
        sheets = _write_labels(Path(args.labels), schedule.labels(cables), name)
        print(
            "\n".join(
                [
                    f"{args.labels}: {2 * cables.height} labels for {cables.height} cables{sheets}",
                    *_totals(cables, totals),
                ]
            )
        )
        return ExitCode.PASS
    data = {"site": name, "cables": cables.to_dicts, "totals": totals.to_dicts}
    _print(args.format, cables, data, _schedule(name, cables, totals))
    return ExitCode.PASS


def _check_name(option: str, value: str | None, names: Sequence[str]) -> None:
    from rackwright.spec.fields import nearest_word

    if value is None or value in names:
        return
    guess = nearest_word(value, names)
    hint = f"did you mean {guess}?" if guess else f"names run from {names[0]} to {names[-1]}"
    raise UsageError(f"{option} {value}: the site has none of this name; {hint}")


def _select(cables: pl.DataFrame, rack: str | None, fabric: str | None) -> pl.DataFrame:
    import polars as pl

    if rack:
        cables = cables.filter((pl.col("a_rack") == rack) | (pl.col("b_rack") == rack))
    return cables.filter(pl.col("fabric") == fabric) if fabric else cables


def _print(form: str, table: pl.DataFrame, data: dict[str, Any], lines: Iterator[str]) -> None:
    """`table` as CSV, `data` as JSON (callables in it are only called then), or `lines`."""
    if form == "csv":
        from rackwright.base.csv_text import without_formulas  # heavy; other forms do not need it

        print(without_formulas(table).write_csv(), end="")
    elif form == "json":
        output.emit({key: value() if callable(value) else value for key, value in data.items()})
    else:
        for line in lines:
            print(line)


def _schedule(name: str, schedule: pl.DataFrame, totals: pl.DataFrame) -> Iterator[str]:
    yield f"Site {name}: {schedule.height} cables in pull order"
    rows = schedule.iter_rows(named=True)
    for (stage, crew), work in groupby(rows, key=lambda row: (row["stage"], row["crew"])):
        yield f"\n  {stage}, {crew}"
        for bundle, cables in groupby(work, key=lambda row: row["bundle"]):
            yield f"    bundle {bundle}"
            for row in cables:
                near, far = row["a_label"].split(" / ")
                yield f"    {row['order']:>7}  {near:<44} {far:<44} {row['sku']} {_meters(row['length_meters'])}"
    yield ""
    yield from _totals(schedule, totals)


def _totals(cables: pl.DataFrame, totals: pl.DataFrame) -> Iterator[str]:
    yield f"  {'part':<18}{'medium':<16}{'length':>8}{'cables':>9}{'links':>9}{'metres':>11}"
    for row in totals.iter_rows(named=True):
        length, meters = _meters(row["length_meters"]), row["meters"]
        much = "?" if meters is None else f"{meters:,.0f}"
        yield f"  {row['sku']:<18}{row['medium']:<16}{length:>8}{row['cables']:>9,}{row['links']:>9,}{much:>11}"
    meters, links = totals["meters"].sum(), totals["links"].sum()
    bundles = cables["bundle"].n_unique()
    yield f"  {cables.height:,} cables with {links:,} links, {meters:,.0f} m, in {bundles:,} bundles; {2 * cables.height:,} labels"
    unknown = cables["length_meters"].null_count()
    if unknown:
        yield f"  {unknown:,} cables run between halls without a declared route: add facility.routes to know their length"


def _ports(table: pl.DataFrame) -> Iterator[str]:
    for (unit, device), ports in groupby(table.iter_rows(named=True), key=lambda row: (row["unit"], row["device"])):
        yield f"U{unit:02d} {device}"
        for row in ports:
            yield f"    {row['port']:<16}{row['gbps'] or '':>5} Gb/s  {row['fabric'] or '':<12}{_far_end(row)}"
    used = table.height - table["cable"].null_count()
    yield f"{table.height} ports, {used} with a cable, {table['reserved'].count()} reserved"


def _far_end(row: dict[str, Any]) -> str:
    if row["cable"] is None:
        return f"reserved for {row['reserved']}" if row["reserved"] else "free"
    unit = row["far_unit"] or 0
    place = f"{row['far_rack']} U{unit:02d} {row['far_device']}:{row['far_port']}"
    return f"{place:<46} {row['sku']} {_meters(row['length_meters'])}"


def _meters(length: float | None) -> str:
    return "? m" if length is None else f"{length:g} m"


def _write_labels(path: Path, labels: pl.DataFrame, name: str) -> str:
    """Write the labels; returns how many sheets they fill."""
    from rackwright.base.csv_text import without_formulas
    from rackwright.catalog import cabling_practice
    from rackwright.report import labels as sheets

    stock = cabling_practice.load().sheet
    try:
        if path.suffix == ".csv":
            replace_file(path, without_formulas(labels).write_csv())
            return ""
        replace_file(path, sheets.sheet(name, labels.to_dicts(), stock))
    except OSError as error:
        raise OutsideError(f"{path} cannot be written: {error.strerror}; name another file with --labels") from error
    return f" on {-(-labels.height // (stock.columns * stock.rows))} {stock.stock}"
