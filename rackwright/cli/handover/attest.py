"""``rackwright attest SITE``: puts site, design, evidence, limits, verdicts and report into one folder and signs it.

The key is a file or the URI of a key in an HSM or a KMS, from ``--key`` or ``RACKWRIGHT_SIGNING_KEY``; it is read once and never
printed. Its passphrase or PIN comes from ``RACKWRIGHT_SIGNING_PASSPHRASE`` or from the terminal. ``--sigstore`` signs with a Sigstore
identity instead, by the token in ``SIGSTORE_ID_TOKEN`` or the one that the machine offers.
"""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site

if TYPE_CHECKING:
    from rackwright.attest import Signer
    from rackwright.spec import LoadedSite

VARIABLE = "RACKWRIGHT_SIGNING_KEY"
PASSPHRASE = "RACKWRIGHT_SIGNING_PASSPHRASE"
TOKEN = "SIGSTORE_ID_TOKEN"
"""As cosign and GitLab call it (sigstore/cosign, 2026-11-26)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the workspace, the key, and where the bundle goes."""
    site.add_site(parser)
    site.add_work(parser)
    add_signer(parser)
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="folder of bundles, one for each run that was signed (default: handover/ of the workspace)",
    )
    parser.add_argument("--evidence", metavar="DIR", help="evidence store (default: the one of this site)")
    parser.add_argument(
        "--no-evidence", action="store_true", help="reference the evidence by its hashes instead of copying it"
    )
    output.add_format(parser)


def add_signer(parser: argparse.ArgumentParser) -> None:
    """``--key`` and ``--public-key``, or ``--sigstore`` and ``--sigstore-config``."""
    by = parser.add_mutually_exclusive_group()
    by.add_argument(
        "--key",
        metavar="KEY",
        help=f"private key: a file, or the URI of one in an HSM or a KMS, such as hsm:2?label=NAME (default: {VARIABLE})",
    )
    by.add_argument(
        "--sigstore",
        action="store_true",
        help=f"sign with a Sigstore identity instead: the token in {TOKEN}, or the one that this machine offers",
    )
    parser.add_argument("--public-key", metavar="FILE", help="public key of a --key in an HSM or a KMS")
    parser.add_argument(
        "--sigstore-config",
        metavar="FILE",
        help="client trust configuration of a private Sigstore instance (default: the public one)",
    )


def add_sign(parser: argparse.ArgumentParser) -> None:
    """``--sign`` and ``--key``, for verbs that can sign their result."""
    parser.add_argument("--sign", action="store_true", help="also sign a bundle, into handover/ of the workspace")
    add_signer(parser)


def run(args: argparse.Namespace) -> int:
    """Sign, and print the key."""
    loaded = site.load(args)
    signer = chosen_signer(args)
    path = sign_bundle(args, loaded, signer, Path(args.out) if args.out else None)
    if args.format == "json":
        output.emit({"bundle": str(path), **signed_by(path, signer)})
    else:
        output.print_lines(bundle_lines(path, signer))
    return ExitCode.PASS


def chosen_signer(args: argparse.Namespace) -> Signer:
    """The named private key, or the Sigstore identity. Raises UsageError if there is none."""
    from rackwright import attest

    if args.sigstore:
        if token := os.environ.get(TOKEN) or attest.ambient_token():
            return attest.IdentitySigner(token, Path(args.sigstore_config) if args.sigstore_config else None)
        raise UsageError(f"no identity token: this machine offers none, and {TOKEN} is not set")
    name = args.key or os.environ.get(VARIABLE)
    if not name:
        raise UsageError(f"no signing key: name one with --key or {VARIABLE}; `rackwright keygen FILE` makes one")
    return attest.load_signing_key(name, ask_secret, Path(args.public_key) if args.public_key else None)


def ask_secret(purpose: str) -> str:
    """A passphrase or PIN: from the environment, or typed. Raises UsageError if there is no terminal to ask at."""
    if (secret := os.environ.get(PASSPHRASE)) is not None:
        return secret
    if not sys.stdin.isatty():
        raise UsageError(f"the signing key is locked: set {PASSPHRASE} ({purpose}), or run this at a terminal")
    return getpass.getpass(f"{purpose}: ")


def sign_bundle(args: argparse.Namespace, loaded: LoadedSite, signer: Signer, out: Path | None = None) -> Path:
    """The signed bundle of the last judgement of the site."""
    from rackwright import collect
    from rackwright.flow import judgement_file, signed_bundle
    from rackwright.ledger import Ledger

    work = site.workspace(args, loaded.site)
    store_folder = getattr(args, "evidence", None)
    store = collect.Store(Path(store_folder) if store_folder else work.path / "evidence")
    copied = not getattr(args, "no_evidence", False)
    to, report = out or work.path / "handover", work.path / "report"
    judged = judgement_file.read_judgement(report / judgement_file.JUDGEMENT_FILE)
    with closing(Ledger(site.ledger_url(work))) as ledger:
        return signed_bundle.sign_bundle(
            loaded,
            site.expand(loaded),
            signed_bundle.LastJudgement(judged, report, ledger, store),
            signer,
            to,
            copied=copied,
        )


def bundle_lines(path: Path, signer: Signer) -> list[str]:
    """The lines to print about a new bundle."""
    [(kind, name)] = signed_by(path, signer).items()
    trusted = "--key PUBLIC_KEY" if kind == "key" else "--sigstore-identity NAME --sigstore-issuer URL"
    return [
        f"Bundle: {path}",
        f"signed by {'key ' if kind == 'key' else ''}{name}",
        f"check it with `rackwright verify {path} {trusted} --rejudge`",
    ]


def signed_by(path: Path, signer: Signer) -> dict[str, str]:
    """The ``key`` (fingerprint) or the ``identity`` that signed a new bundle."""
    from rackwright import attest

    if isinstance(signer, attest.SigningKey):
        return {"key": signer.public.fingerprint}
    return {"identity": attest.signing_identity(path)}
