"""``rackwright waive SITE``: a named person accepts a known defect of one check on one node, or on one part of it.

The row is added to the waiver file of the site (``acceptance.waivers``), which keeps its comments and layout. ``--approve`` adds a
second person to a row, where the site asks for more than one. A person who has a key in ``acceptance.approvers`` signs the row with
``--key``. ``--list`` prints the waivers and the days left. A waiver never covers
missing readings, and always has an end date, which lies no further away than policy allows.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import ExitCode, OutsideError, ProblemsError, UsageError
from rackwright.cli import output, site
from rackwright.model.gate import Waiver

if TYPE_CHECKING:
    from rackwright.gate import WaiverPolicy
    from rackwright.spec import LoadedSite

NEEDED = ("check", "node", "reason", "by", "until")
NEEDED_TO_APPROVE = ("check", "node", "by")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the waiver, or ``--list``."""
    site.add_site(parser)
    parser.add_argument("--check", metavar="ID", help="the check whose finding is accepted (gpu.row_remap)")
    parser.add_argument("--node", metavar="NAME", help="the node on which it is accepted")
    parser.add_argument("--object", metavar="PART", default="", help="one part of it, as findings name it (GPU 3)")
    parser.add_argument("--reason", metavar="TEXT", help="why it is accepted")
    parser.add_argument(
        "--by", metavar="PERSON", help="who accepts it; one of acceptance.approvers, where the site has any"
    )
    parser.add_argument("--until", metavar="DATE", help="last day on which it holds (YYYY-MM-DD)")
    parser.add_argument("--ticket", metavar="ID", default="", help="ticket of the repair")
    parser.add_argument(
        "--approve", action="store_true", help="confirm the waiver of --check and --node as a further person"
    )
    parser.add_argument(
        "--key", metavar="FILE|URI", help="the signing key of --by, whose fingerprint acceptance.approvers has"
    )
    parser.add_argument("--public-key", metavar="PEM", help="the public half of a --key that is in an HSM or a KMS")
    parser.add_argument("--list", action="store_true", help="list the waivers of the site and the days left")
    output.add_format(parser)


def today() -> date:
    """The current date in UTC, as the gate uses it."""
    return datetime.now(UTC).date()


def run(args: argparse.Namespace) -> int:
    """List the waivers, confirm one, or add one."""
    from rackwright import gate, judge
    from rackwright.flow import decision

    loaded = site.load(args)
    design = site.expand(loaded)
    checks = tuple(judge.load_checks(design.roots))
    nodes = [*(node.name for node in design.nodes()), *sorted(judge.plant_names(design))]
    policy = decision.waiver_policy(design)
    path = _path(loaded, needed=not args.list)

    def load(file: Path | None) -> list[Waiver]:
        return gate.load_waivers(file, checks, nodes, policy)

    waivers = load(path)
    if args.list:
        return _list(waivers, policy, args.format)
    needed = NEEDED_TO_APPROVE if args.approve else NEEDED
    missing = [name for name in needed if not (getattr(args, name) or "").strip()]
    if missing:
        raise UsageError(f"a waiver needs {', '.join(f'--{name}' for name in missing)}")
    assert path is not None
    file = _WaiverFile(path, load, waivers, policy)
    return _approve(args, file) if args.approve else _add(args, file)


@dataclass(frozen=True)
class _WaiverFile:
    """The waiver file of a site."""

    path: Path
    load: Callable[[Path], list[Waiver]]
    """The waivers in a file; raises ProblemsError for invalid rows."""
    waivers: Sequence[Waiver]
    """Those that it holds now."""
    policy: WaiverPolicy


def _add(args: argparse.Namespace, file: _WaiverFile) -> int:
    from rackwright.gate.waiver_file import append_waiver

    fields = {name: getattr(args, name) for name in (*NEEDED, "object", "ticket")}
    waiver, last = Waiver(**fields, since=today().isoformat()), today() + timedelta(days=file.policy.days)
    if waiver.until < today().isoformat():  # whether it is a date is decided with the row
        raise UsageError(f"--until {waiver.until} is over: name the last day on which the waiver holds")
    sign = _signing(args, file.policy, waiver)
    _write(file, lambda text: sign(append_waiver(text, waiver)), [*file.waivers, waiver], latest=last)
    sentence = (
        f"{file.path}: {waiver.check} on {waiver.node}{f', {waiver.object},' if waiver.object else ''} is waived until "
        f"{waiver.until} by {waiver.by}"
    )
    _print(args, file, waiver, sentence)
    return ExitCode.PASS


def _approve(args: argparse.Namespace, file: _WaiverFile) -> int:
    from rackwright.gate.waiver_file import approve_waiver

    waivers = file.waivers
    keys = [waiver.key for waiver in waivers]
    key = (args.check, args.node, args.object)
    if key not in keys:
        of = f"{args.check} on {args.node}{f', {args.object}' if args.object else ''}"
        raise UsageError(f"{file.path} has no waiver of {of}: `rackwright waive --list` names them")
    place = keys.index(key)
    waiver = waivers[place].model_copy(update={"approved_by": [*waivers[place].approved_by, args.by]})
    after = [*waivers[:place], waiver, *waivers[place + 1 :]]
    sign = _signing(args, file.policy, waiver)
    _write(file, lambda text: sign(approve_waiver(text, place, args.by)), after)
    persons = " and ".join([waiver.by, *waiver.approved_by])
    _print(args, file, waiver, f"{file.path}: {waiver.check} on {waiver.node} is waived by {persons}")
    return ExitCode.PASS


def _signing(args: argparse.Namespace, policy: WaiverPolicy, waiver: Waiver) -> Callable[[str], str]:
    """A function that adds the signature of ``--by`` to the text of the file, or returns it unchanged for a person without a declared key.

    UsageError if the declared key is not given with ``--key``.
    """
    from rackwright import attest, gate
    from rackwright.cli.handover.attest import ask_secret
    from rackwright.gate.waiver_file import append_signature

    declared = policy.keys.fingerprints.get(args.by)
    if declared is None:
        if args.key:
            raise UsageError(
                f"acceptance.approvers has no key of {args.by}: write `key:` with its fingerprint there, or leave --key out"
            )
        return lambda text: text
    if not args.key:
        raise UsageError(f"{args.by} signs waivers with the key {declared}: name it with --key")
    key = attest.load_signing_key(args.key, ask_secret, Path(args.public_key) if args.public_key else None)
    if key.public.fingerprint != declared:
        raise UsageError(f"--key is {key.public.fingerprint}, and acceptance.approvers has {declared} for {args.by}")
    content = gate.signed_content(policy.keys.site, waiver, args.by)
    signature = attest.sign_waiver(content, waiver, args.by, key)
    return lambda text: append_signature(text, signature)


def _print(args: argparse.Namespace, file: _WaiverFile, waiver: Waiver, sentence: str) -> None:
    """Print the sentence, and why the waiver does not count yet."""
    from rackwright import gate

    if args.format == "json":
        output.emit({"path": str(file.path), "waiver": waiver.model_dump()})
    else:
        waits = gate.void_reasons([waiver], file.policy, today()).get(waiver.key, "")
        print(f"{sentence}; it {waits}" if waits else sentence)


def _path(loaded: LoadedSite, *, needed: bool) -> Path | None:
    name = loaded.site.acceptance.waivers
    if name is None and needed:
        raise UsageError(
            f"{loaded.path} names no waiver file: write `waivers: waivers.yaml` under `acceptance`, and an empty file "
            "of that name beside it"
        )
    return (loaded.path.parent / name).resolve() if name else None


def _write(
    file: _WaiverFile, change: Callable[[str], str], expected: Sequence[Waiver], latest: date | None = None
) -> None:
    """Change the file to hold `expected`; an invalid row, or one that ends after `latest`, leaves the file unchanged."""
    path = file.path
    fresh = path.with_name(f".{path.name}.draft")
    try:
        text = change(path.read_text(encoding="utf-8"))
        fresh.write_text(text, encoding="utf-8")
        after = file.load(fresh)
        if latest is not None and after[-1].last_day > latest:
            raise UsageError(
                f"--until {after[-1].until} is too far away: a waiver holds until {latest} at the latest "
                "(acceptance.policy.waiver_days); waive again then, or declare the node as it is in the site file"
            )
        if after != expected:
            raise OutsideError(
                f"{path} is written in a way that no row can be changed safely: write the waiver by hand"
            )
        replace_file(path, text)
    except ValueError as error:
        raise OutsideError(f"{path} cannot be changed ({error}): write the waiver by hand") from error
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


def _list(waivers: Sequence[Waiver], policy: WaiverPolicy, style: str) -> int:
    from rackwright import gate

    days_left = [(gate.last_day(waiver, policy) - today()).days for waiver in waivers]
    void = gate.void_reasons(waivers, policy, today())
    if style == "json":
        output.emit(
            {
                "waivers": [
                    {**waiver.model_dump(), "days_left": days, "void": void.get(waiver.key, "")}
                    for waiver, days in zip(waivers, days_left, strict=True)
                ]
            }
        )
        return ExitCode.PASS
    for waiver, days in zip(waivers, days_left, strict=True):
        when = (
            f"OVER since {gate.last_day(waiver, policy)}" if days < 0 else void.get(waiver.key) or f"{days} days left"
        )
        part = f" {waiver.object}" if waiver.object else ""
        ticket = f" [{waiver.ticket}]" if waiver.ticket else ""
        persons = ", confirmed by ".join([waiver.by, *waiver.approved_by])
        print(
            f"{waiver.check:<26} {waiver.node}{part}: {waiver.reason}, {persons}, until {waiver.until}: {when}{ticket}"
        )
    print(f"{len(waivers)} waiver{'' if len(waivers) == 1 else 's'}")
    return ExitCode.PASS
