"""``rackwright design SITE``: everything that follows from a site, and whether it passes the design rules.

Prints a summary, JSON (``site``, ``totals``, ``verdicts``, ``studies``), one table, or writes all tables as CSV;
``--what-if`` prints the effect of losses and changes instead, ``--fix`` what answers failed rules; ``--only fabrics`` designs a sketch of pools and fabrics. Exits 1 if a rule fails,
or a declared loss is not survived.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright import spec
from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ExitCode, OutsideError, UsageError
from rackwright.cli import output, site
from rackwright.model.verdict import Outcome

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
WIRING = ("racks", "devices", "nodes", "ports", "cables", "networks", "losses")
"""Tables of a sketch."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, what to print, where to write."""
    site.add_site(parser)
    parser.add_argument("--table", choices=TABLES, help="print this table as CSV instead of the summary")
    parser.add_argument("--out", metavar="DIR", help="write every table as CSV into DIR")
    what = "what follows, e.g. 'lose feed A and switch compute-spine-01' or 'add 32 nodes to train' (repeatable)"
    parser.add_argument("--what-if", action="append", default=[], metavar="TEXT", help=what)
    sketch = (
        "wire pools and fabrics alone: halls, power, control servers, software, in-band and BMC fabric may be missing"
    )
    fix = "answer the failed rules: alternatives that were built and judged, the cheapest first, and all together as a diff"
    parser.add_argument("--fix", action="store_true", help=fix)
    parser.add_argument("--apply", action="store_true", help="with --fix: write the diff into the files of the site")
    take = "with --fix: take this alternative for its rule instead of the cheapest (repeatable)"
    parser.add_argument("--take", metavar="N", type=int, action="append", default=[], help=take)
    parser.add_argument("--only", choices=["fabrics"], help=sketch)
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Expand, judge, print."""
    from rackwright.cli.design.design_text import summary
    from rackwright.design import rules  # heavy; --help does not need it

    only = args.only == "fabrics"
    if only and (args.what_if or args.table not in (None, *WIRING)):
        what = "--what-if" if args.what_if else f"--table {args.table}"
        raise UsageError(f"{what} needs the whole site; with --only fabrics there are the tables {', '.join(WIRING)}")
    _check_fix(args)
    loaded = site.load(args, to_design=True, only_fabrics=only)
    if args.fix:
        from rackwright.cli.design import design_fix

        return design_fix.run(loaded, take=args.take, apply=args.apply, as_json=args.format == "json")
    design = site.expand(loaded, only_fabrics=only)
    if args.what_if:
        return _what_if(args, loaded, design)
    verdicts = rules.run_rules(design, rules.OF_FABRICS if only else rules.DOMAINS)
    if args.out:
        _write(design, Path(args.out), WIRING if only else TABLES)
    if args.table:
        print(_table(design, args.table).write_csv(), end="")
    elif args.format == "json":
        rows = [verdict.model_dump(mode="json") for verdict in verdicts]
        assumed = {"assumed": loaded.assumed} if only else {}
        output.emit(
            {"site": design.site.site, **assumed, "totals": design.totals, "verdicts": rows, "studies": design.studies}
        )
    else:
        output.print_lines(summary(design, verdicts))
        if only:
            print(
                f"  Of {design.site.site} the wiring alone; not declared and not judged: {', '.join(loaded.assumed) or 'nothing'}"
            )
    return ExitCode.PROBLEMS if any(verdict.outcome is Outcome.FAIL for verdict in verdicts) else ExitCode.PASS


def _check_fix(args: argparse.Namespace) -> None:
    if not args.fix and (args.apply or args.take):
        raise UsageError(f"{'--apply' if args.apply else '--take'} belongs to --fix; give both")
    others = [f"--{name.replace('_', '-')}" for name in ("table", "out", "what_if", "only") if getattr(args, name)]
    if args.fix and others:
        raise UsageError(f"--fix judges the whole site and prints changes; leave out {others[0]}")


def _what_if(args: argparse.Namespace, loaded: spec.LoadedSite, design: Design) -> int:
    from rackwright.cli.design import what_if

    answers = what_if.answer(loaded, design, args.what_if)
    if args.format == "json":
        output.emit({"site": design.site.site, "what_if": answers})
    else:
        print("\n".join(what_if.text(answers)).rstrip())
    return ExitCode.PROBLEMS if what_if.broken(answers) else ExitCode.PASS


def _table(design: Design, name: str) -> pl.DataFrame:
    from rackwright.base.csv_text import without_formulas  # heavy; --help does not need it

    table: pl.DataFrame = design.node_table if name == "nodes" else getattr(design, name)
    return without_formulas(table)


def _write(design: Design, folder: Path, names: Sequence[str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            replace_file(folder / f"{name}.csv", _table(design, name).write_csv())
    except OSError as error:
        raise OutsideError(f"{folder} cannot be written: {error.strerror}; name another folder with --out") from error
