"""``rackwright waive SITE``: a named person accepts a known defect of one check on one node, or on one part of it.

The row is added to the waiver file of the site (``acceptance.waivers``), which keeps its comments and layout. ``--list``
prints the waivers and the days left. A waiver never covers missing readings, and always has an end date.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.base.errors import ExitCode, OutsideError, ProblemsError, UsageError
from rackwright.cli import output, site
from rackwright.model.gate import Waiver

if TYPE_CHECKING:
    from rackwright.spec import LoadedSite

NEEDED = ("check", "node", "reason", "by", "until")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the waiver, or ``--list``."""
    site.add_site(parser)
    parser.add_argument("--check", metavar="ID", help="the check whose finding is accepted (gpu.row_remap)")
    parser.add_argument("--node", metavar="NAME", help="the node on which it is accepted")
    parser.add_argument("--object", metavar="PART", default="", help="one part of it, as findings name it (GPU 3)")
    parser.add_argument("--reason", metavar="TEXT", help="why it is accepted")
    parser.add_argument("--by", metavar="PERSON", help="who accepts it")
    parser.add_argument("--until", metavar="DATE", help="last day on which it holds (YYYY-MM-DD)")
    parser.add_argument("--ticket", metavar="ID", default="", help="ticket of the repair")
    parser.add_argument("--list", action="store_true", help="list the waivers of the site and the days left")
    output.add_format(parser)


def today() -> date:
    """The current date in UTC, as the gate uses it."""
    return datetime.now(UTC).date()


def run(args: argparse.Namespace) -> int:
    """List the waivers, or add one."""
    from rackwright import gate, judge

    loaded = site.load(args)
    design = site.expand(loaded)
    checks = tuple(judge.load_checks(design.roots))
    nodes = [*(node.name for node in design.nodes()), *sorted(judge.plant_names(design))]
    path = _path(loaded, needed=not args.list)
    waivers = gate.load_waivers(path, checks, nodes)
    if args.list:
        return _list(waivers, args.format)
    missing = [name for name in NEEDED if not (getattr(args, name) or "").strip()]
    if missing:
        raise UsageError(f"a waiver needs {', '.join(f'--{name}' for name in missing)}")
    waiver = Waiver(**{name: getattr(args, name) for name in (*NEEDED, "object", "ticket")})
    if waiver.until < today().isoformat():  # whether it is a date is decided with the row
        raise UsageError(f"--until {waiver.until} is over: name the last day on which the waiver holds")
    assert path is not None
    _write(path, waiver, lambda file: gate.load_waivers(file, checks, nodes), waivers)
    if args.format == "json":
        output.emit({"path": str(path), "waiver": waiver.model_dump()})
    else:
        print(f"{path}: {waiver.check} on {waiver.node}{f', {waiver.object},' if waiver.object else ''} is waived until "
              f"{waiver.until} by {waiver.by}")  # fmt: skip
    return ExitCode.PASS


def _path(loaded: LoadedSite, *, needed: bool) -> Path | None:
    name = loaded.site.acceptance.waivers
    if name is None and needed:
        raise UsageError(
            f"{loaded.path} names no waiver file: write `waivers: waivers.yaml` under `acceptance`, and an empty file "
            "of that name beside it"
        )
    return (loaded.path.parent / name).resolve() if name else None


def _write(path: Path, waiver: Waiver, load: Any, waivers: Sequence[Waiver]) -> None:
    """Add the row to the file; an invalid row leaves the file unchanged."""
    from rackwright.gate.waiver_file import append_waiver

    fresh = path.with_name(f".{path.name}.new")
    try:
        mode = path.stat().st_mode & 0o777
        fresh.write_text(append_waiver(path.read_text(encoding="utf-8"), waiver), encoding="utf-8")
        fresh.chmod(mode)
        if load(fresh) != [*waivers, waiver]:
            raise OutsideError(f"{path} is written in a way that no row can be added to safely: add the waiver by hand")
        fresh.replace(path)
    except ValueError as error:
        raise OutsideError(f"no row can be added to {path} ({error}): add the waiver by hand") from error
    except ProblemsError as error:
        raise ProblemsError(
            replace(
                problem,
                place=problem.place.replace(str(fresh), str(path)),
                found=problem.found.replace(str(fresh), str(path)),
            )
            for problem in error.problems
        ) from error
    except OSError as error:
        raise OutsideError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        fresh.unlink(missing_ok=True)


def _list(waivers: Sequence[Waiver], style: str) -> int:
    from rackwright import gate

    days_left = [gate.days_left(waiver, today()) for waiver in waivers]
    if style == "json":
        output.emit(
            {
                "waivers": [
                    {**waiver.model_dump(), "days_left": days} for waiver, days in zip(waivers, days_left, strict=True)
                ]
            }
        )
        return ExitCode.PASS
    for waiver, days in zip(waivers, days_left, strict=True):
        when = f"{days} days left" if days >= 0 else f"OVER since {waiver.until}"
        part = f" {waiver.object}" if waiver.object else ""
        ticket = f" [{waiver.ticket}]" if waiver.ticket else ""
        print(
            f"{waiver.check:<26} {waiver.node}{part}: {waiver.reason}, {waiver.by}, until {waiver.until}: {when}{ticket}"
        )
    print(f"{len(waivers)} waiver{'' if len(waivers) == 1 else 's'}")
    return ExitCode.PASS
