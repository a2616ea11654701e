"""``rackwright waive SITE``: a named person accepts a known defect of one check on one node, or on one part of it.

The row is added to the waiver file of the site (``acceptance.waivers``), which keeps its comments and layout. ``--list``
shows what is waived and for how long. A waiver never covers what was not seen, and none lasts longer than its end.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
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
    parser.add_argument("--ticket", metavar="ID", default="", help="where the repair is followed")
    parser.add_argument("--list", action="store_true", help="show the waivers of the site with the days they have left")
    output.add_format(parser)


def today() -> str:
    """The day in UTC, as the gate counts."""
    return datetime.now(UTC).date().isoformat()


def run(args: argparse.Namespace) -> int:
    """List, or add and say so."""
    from rackwright import gate, judge

    loaded = site.load(args)
    checks = tuple(judge.load_checks())
    design = site.expand(loaded)
    nodes = [*(node.name for node in design.nodes()), *sorted(judge.plant_names(design))]
    path = _path(loaded, needed=not args.list)
    known = gate.load_waivers(path, checks, nodes)
    if args.list:
        return _list(known, args.format)
    missing = [name for name in NEEDED if not (getattr(args, name) or "").strip()]
    if missing:
        raise UsageError(f"a waiver needs {', '.join(f'--{name}' for name in missing)}")
    asked = Waiver(**{name: getattr(args, name) for name in (*NEEDED, "object", "ticket")})
    if asked.until < today():
        raise UsageError(f"--until {asked.until} is over: name the last day on which the waiver holds")
    assert path is not None
    _write(path, asked, lambda file: gate.load_waivers(file, checks, nodes), known)
    if args.format == "json":
        output.emit({"path": str(path), "waiver": asked.model_dump()})
    else:
        print(f"{path}: {asked.check} on {asked.node}{f', {asked.object},' if asked.object else ''} is waived until "
              f"{asked.until} by {asked.by}")  # fmt: skip
    return ExitCode.PASS


def _path(loaded: LoadedSite, *, needed: bool) -> Path | None:
    name = loaded.site.acceptance.waivers
    if name is None and needed:
        raise UsageError(
            f"{loaded.path} names no waiver file: write `waivers: waivers.yaml` under `acceptance`, and an empty file "
            "of that name beside it"
        )
    return (loaded.path.parent / name).resolve() if name else None


def _write(path: Path, asked: Waiver, load: Any, known: Sequence[Waiver]) -> None:
    """Put the row into the file, whole or not at all; what is refused leaves the file as it was."""
    from rackwright.gate.waiver_file import append_waiver

    fresh = path.with_name(f".{path.name}.new")
    try:
        mode = path.stat().st_mode & 0o777
        fresh.write_text(append_waiver(path.read_text(encoding="utf-8"), asked), encoding="utf-8")
        fresh.chmod(mode)
        if load(fresh) != [*known, asked]:
            raise OutsideError(f"{path} is written in a way that no row can be added to safely: add the waiver by hand")
        fresh.replace(path)
    except ValueError as error:
        raise OutsideError(f"no row can be added to {path} ({error}): add the waiver by hand") from error
    except ProblemsError as error:
        raise ProblemsError(
            replace(one, place=one.place.replace(str(fresh), str(path)), found=one.found.replace(str(fresh), str(path)))
            for one in error.problems
        ) from error
    except OSError as error:
        raise OutsideError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        fresh.unlink(missing_ok=True)


def _list(known: Sequence[Waiver], style: str) -> int:
    from rackwright import gate

    left = [gate.days_left(one, today()) for one in known]
    if style == "json":
        output.emit(
            {"waivers": [{**one.model_dump(), "days_left": days} for one, days in zip(known, left, strict=True)]}
        )
        return ExitCode.PASS
    for one, days in zip(known, left, strict=True):
        when = f"{days} days left" if days >= 0 else f"OVER since {one.until}"
        part = f" {one.object}" if one.object else ""
        ticket = f" [{one.ticket}]" if one.ticket else ""
        print(f"{one.check:<26} {one.node}{part}: {one.reason}, {one.by}, until {one.until}: {when}{ticket}")
    print(f"{len(known)} waiver{'' if len(known) == 1 else 's'}")
    return ExitCode.PASS
