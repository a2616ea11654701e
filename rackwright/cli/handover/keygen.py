"""``rackwright keygen FILE``: creates an Ed25519 key pair for signing handovers: FILE, and FILE.pub to give away."""

from __future__ import annotations

import argparse
from pathlib import Path

from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output
from rackwright.cli.handover.attest import PASSPHRASE, ask_secret


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the private key goes."""
    parser.add_argument("file", metavar="FILE", help="the private key; it is never overwritten")
    parser.add_argument(
        "--passphrase", action="store_true", help=f"lock the private key (passphrase from {PASSPHRASE}, or typed)"
    )
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Create the pair, and print the fingerprint."""
    from rackwright import attest

    passphrase = ask_secret("passphrase for the new key") if args.passphrase else ""
    if args.passphrase and not passphrase:
        raise UsageError("the passphrase is empty: leave --passphrase out for a key without one")
    public, fingerprint = attest.generate_key(Path(args.file), passphrase)
    if args.format == "json":
        output.emit({"private": args.file, "public": str(public), "fingerprint": fingerprint})
    else:
        print(
            f"private key {args.file}: keep it; public key {public}: give it to the verifiers\nfingerprint {fingerprint}"
        )
    return ExitCode.PASS
