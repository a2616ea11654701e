"""``rackwright verify BUNDLE``: checks that a handover is unchanged since it was signed, and by which key.

Any changed byte, missing or added file, wrong key or broken chain of evidence is a problem. ``--rejudge`` also repeats the
judgement from the evidence in the bundle. No code in the bundle is run. Exits 1 if there is a problem.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.base.errors import ExitCode, ProblemsError, UsageError
from rackwright.cli import output

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    from rackwright.attest import BundleCheck
    from rackwright.base.errors import Problem


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bundle, the reader's key, and whether to judge again."""
    parser.add_argument("bundle", metavar="BUNDLE", help="the bundle folder")
    parser.add_argument(
        "--key", metavar="FILE", help="public key that must have signed it (default: the one in the bundle)"
    )
    parser.add_argument("--evidence", metavar="DIR", help="evidence store, if the bundle only references its evidence")
    parser.add_argument(
        "--site",
        metavar="DIR",
        help="trusted folder of the site file, for --rejudge of a site that brought its own checks",
    )
    parser.add_argument("--rejudge", action="store_true", help="repeat the judgement from the evidence in the bundle")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Check, judge again if requested, and print the result."""
    from rackwright import attest

    folder = Path(args.bundle)
    if not (folder / attest.ENVELOPE).is_file():
        what = f"it holds no {attest.ENVELOPE}" if folder.exists() else "it does not exist"
        raise UsageError(
            f"{folder} is not a bundle: {what}; `rackwright gate --sign` and `rackwright attest` print the path of the bundle that they write"
        )
    checked = attest.check_bundle(folder, _trusted_key(args.key))
    problems = list(checked.problems)
    store = Path(args.evidence) if args.evidence else folder / "evidence"
    has_evidence = (store / "runs").is_dir()
    if args.rejudge and not has_evidence:
        raise UsageError(f"{store} holds no evidence to judge again: name its store with --evidence")
    if not problems and has_evidence and checked.statement is not None:
        problems += _evidence_problems(store, checked.statement.facts["basis"]["evidence"])
    count = 0
    if args.rejudge and not problems and checked.statement is not None:
        count, differing = _repeat_judgement(folder, checked, store, Path(args.site) if args.site else None)
        problems += differing
    if problems:
        raise ProblemsError(problems)
    _print_result(args, checked, count, has_evidence=has_evidence)
    return ExitCode.PASS


def _trusted_key(path: str | None) -> Ed25519PublicKey | None:
    from rackwright import attest

    if path is None:
        return None
    try:
        return attest.load_public(Path(path).read_bytes(), path)
    except (OSError, ValueError) as error:
        raise UsageError(f"the public key cannot be used: {error}") from error


def _evidence_problems(folder: Path, heads: Mapping[str, str]) -> list[Problem]:
    """The chain of every judged run, its raw outputs, and whether it ends as it was signed."""
    from rackwright import collect
    from rackwright.flow.signed_bundle import evidence_problems

    return list(evidence_problems(collect.Store(folder), heads))


def _repeat_judgement(
    folder: Path, checked: BundleCheck, store: Path, beside: Path | None
) -> tuple[int, list[Problem]]:
    from rackwright.flow import repeat_judgement

    assert checked.statement is not None
    return repeat_judgement.differences(folder, checked.statement.facts, store, beside)


def _print_result(args: argparse.Namespace, checked: BundleCheck, count: int, *, has_evidence: bool) -> None:
    assert checked.statement is not None
    facts = checked.statement.facts
    if args.format == "json":
        output.emit(
            {
                "files": checked.files,
                "key": checked.key,
                "trusted": bool(args.key),
                "judged": count,
                "facts": facts,
                "waivers_over": _expired_waivers(facts),
                "problems": [],
            }
        )
        return
    print(f"{args.bundle}: {checked.files} files are as they were signed")
    if not has_evidence:
        print("its evidence is only referenced: name its store with --evidence to check it too")
    print(
        f"signed by key {checked.key}{'' if args.key else ' (of the bundle itself: compare it with the one you were given)'}"
    )
    accepted, refused = len(facts["accepted"]), len(facts["refused"])
    for waiver in _expired_waivers(facts):
        print(
            f"waiver of {waiver['check']} on {waiver['node']} by {waiver['by']} is over since {waiver['until']}: it covers nothing now"
        )
    kind = "REHEARSAL of site" if facts["rehearsal"] else "site"
    print(f"{kind} {facts['site']}, run {facts['run']} of {facts['created']}: {accepted} accepted, {refused} refused")
    if count:
        print(f"judged again: {count} verdicts, all as they were signed")


def _expired_waivers(facts: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Waivers that have expired: the signature is valid, but their defects must be repaired or waived again."""
    today = datetime.now(UTC).date()
    return [waiver for waiver in facts.get("waivers", []) if date.fromisoformat(waiver["until"]) < today]
