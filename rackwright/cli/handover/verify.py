"""``rackwright verify BUNDLE``: checks that a handover is unchanged since it was signed, and by which key or Sigstore identity.

Any changed byte, missing or added file, wrong key or broken chain of evidence is a problem. ``--rejudge`` also repeats the
judgement from the evidence in the bundle. No code in the bundle is run. Exits 1 if there is a problem, or if no trusted key or identity is
named: whoever changes a bundle can sign it again with a key of his own.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode, Problem, ProblemsError, UsageError
from rackwright.cli import output

if TYPE_CHECKING:
    from rackwright.attest import BundleCheck, HandoverFacts, TrustedIdentity, TrustedKeys
    from rackwright.model.gate import Waiver

CLOCKS_DIFFER = timedelta(minutes=10)
"""By how much the clocks of signer and reader may differ."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bundle, the reader's keys, and whether to judge again."""
    parser.add_argument("bundle", metavar="BUNDLE", help="the bundle folder")
    trusted = parser.add_mutually_exclusive_group()
    trusted.add_argument("--key", metavar="FILE", help="public key that must have signed it")
    trusted.add_argument(
        "--trust",
        metavar="FILE",
        help="trust file: the public keys that may sign, from when until when, and the revoked",
    )
    trusted.add_argument(
        "--sigstore-identity",
        metavar="NAME",
        help="Sigstore identity that must have signed it: a mail address, or the URI of a job",
    )
    parser.add_argument("--sigstore-issuer", metavar="URL", help="identity provider of --sigstore-identity")
    parser.add_argument(
        "--trusted-root",
        metavar="FILE",
        help="trusted root of a private Sigstore instance (default: the public one, as the package sigstore carries it)",
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
    if not attest.envelope_of(folder):
        raise UsageError(f"{folder} is not a bundle: {_what_it_is(folder)}")
    trust = _trust(args)
    checked = attest.check_bundle(folder, trust)
    problems = list(checked.problems)
    store = Path(args.evidence) if args.evidence else folder / "evidence"
    has_evidence = (store / "runs").is_dir()
    if args.rejudge and not has_evidence:
        raise UsageError(f"{store} holds no evidence to judge again: name its store with --evidence")
    if checked.statement is not None:
        problems += _implausible(folder, checked.statement.facts)
        if not problems and has_evidence:
            problems += _evidence_problems(store, checked.statement.facts.basis.evidence)
    count = 0
    if args.rejudge and not problems and checked.statement is not None:
        count, differing = _repeat_judgement(folder, checked, store, Path(args.site) if args.site else None)
        problems += differing
    if problems:
        raise ProblemsError(problems)
    _print_result(args, checked, count, has_evidence=has_evidence, trusted=trust is not None)
    return ExitCode.PASS if trust else ExitCode.PROBLEMS


def _what_it_is(folder: Path) -> str:
    """What `folder` is instead of a bundle, and what to name."""
    from rackwright import attest

    bundles = sorted(path for path in folder.glob("*") if attest.envelope_of(path))
    if bundles:
        newest = max(bundles, key=lambda path: path.stat().st_mtime)
        return f"it holds {len(bundles)}, of which {newest} is the newest"
    what = f"it holds no {attest.ENVELOPE} or {attest.IDENTITY_ENVELOPE}" if folder.exists() else "it does not exist"
    return f"{what}; `rackwright gate --sign` and `rackwright attest` print the path of the bundle that they write"


def _trust(args: argparse.Namespace) -> TrustedKeys | TrustedIdentity | None:
    from rackwright import attest

    if bool(args.sigstore_identity) != bool(args.sigstore_issuer):
        raise UsageError(
            "a Sigstore identity counts together with its provider: name both --sigstore-identity and --sigstore-issuer"
        )
    if args.trusted_root and not args.sigstore_identity:
        raise UsageError(
            "--trusted-root is of a Sigstore identity: name it with --sigstore-identity and --sigstore-issuer"
        )
    if args.sigstore_identity:
        root = Path(args.trusted_root) if args.trusted_root else None
        return attest.TrustedIdentity(args.sigstore_identity, args.sigstore_issuer, root)
    if args.trust:
        return attest.load_trust(Path(args.trust))
    if args.key is None:
        return None
    try:
        return attest.trust_in(attest.load_public(Path(args.key).read_bytes(), args.key))
    except (OSError, ValueError) as error:
        raise UsageError(f"the public key cannot be used: {error}") from error


def _implausible(folder: Path, facts: HandoverFacts) -> Iterator[Problem]:
    """A decision cannot come from the future."""
    now = datetime.now(UTC)
    if facts.created_at > now + CLOCKS_DIFFER:
        yield Problem(
            str(folder), "created", "the decision lies in the future", f"a time before {now:%Y-%m-%dT%H:%M}Z",
            facts.created, "check the clock of this machine, and ask the signer", "attest.time",
        )  # fmt: skip


def _evidence_problems(folder: Path, heads: Mapping[str, str]) -> list[Problem]:
    """The chain of every judged run, its raw outputs, and whether it ends as it was signed."""
    from rackwright import collect
    from rackwright.flow.evidence_source import evidence_problems

    return list(evidence_problems(collect.Store(folder), heads))


def _repeat_judgement(
    folder: Path, checked: BundleCheck, store: Path, beside: Path | None
) -> tuple[int, list[Problem]]:
    from rackwright.flow import verified_bundle

    assert checked.statement is not None
    return verified_bundle.differences(folder, checked.statement.facts, store, beside)


def _print_result(
    args: argparse.Namespace, checked: BundleCheck, count: int, *, has_evidence: bool, trusted: bool
) -> None:
    assert checked.statement is not None
    facts = checked.statement.facts
    if args.format == "json":
        output.emit(
            {
                "files": checked.files,
                "key": checked.key,
                "identity": checked.identity,
                "trusted": trusted,
                "judged": count,
                "facts": facts.model_dump(mode="json"),
                "waivers_over": [waiver.model_dump() for waiver in _expired_waivers(facts)],
                "problems": [],
            }
        )
    else:
        output.print_lines(_lines(args.bundle, checked, facts, count, has_evidence=has_evidence, trusted=trusted))


def _lines(
    bundle: str, checked: BundleCheck, facts: HandoverFacts, count: int, *, has_evidence: bool, trusted: bool
) -> Iterator[str]:
    yield f"{bundle}: {checked.files} files are as they were signed"
    if not has_evidence:
        yield "its evidence is only referenced: name its store with --evidence to check it too"
    yield f"signed by {checked.identity or f'key {checked.key}'}"
    for waiver in _expired_waivers(facts):
        yield f"waiver of {waiver.check} on {waiver.node} by {waiver.by} is over since {waiver.until}: it covers nothing now"
    kind = "REHEARSAL of site" if facts.rehearsal else "site"
    counts = f"{len(facts.accepted)} accepted, {len(facts.refused)} refused"
    yield f"{kind} {facts.site}, run {facts.run} of {facts.created}: {counts}"
    if count:
        yield f"judged, decided and rendered again: {count} verdicts, every decision and page as they were signed"
    if not trusted:
        yield (
            f"NOT VERIFIED: the {'certificate' if checked.identity else 'key'} is the bundle's own, and anybody could have written and signed it; "
            + (
                "name who must have signed with --sigstore-identity and --sigstore-issuer"
                if checked.identity
                else "name the key that you were given with --key, or a trust file with --trust"
            )
        )


def _expired_waivers(facts: HandoverFacts) -> list[Waiver]:
    """Waivers that have expired: the signature is valid, but their defects must be repaired or waived again."""
    today = datetime.now(UTC).date()
    return [waiver for waiver in facts.waivers if waiver.last_day < today]
