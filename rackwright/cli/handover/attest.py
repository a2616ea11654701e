"""``rackwright attest SITE``: puts site, design, evidence, limits, verdicts and report into one folder and signs it.

The key comes from ``--key`` or from the file that ``RACKWRIGHT_SIGNING_KEY`` names; it is read once and never printed.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from rackwright.spec import LoadedSite

VARIABLE = "RACKWRIGHT_SIGNING_KEY"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the workspace, the key, and where the bundle goes."""
    site.add_site(parser)
    site.add_work(parser)
    add_key(parser)
    parser.add_argument("--out", metavar="DIR", help="the bundle (default: handover/ of the workspace)")
    parser.add_argument("--evidence", metavar="DIR", help="evidence store (default: the one of this site)")
    parser.add_argument(
        "--no-evidence", action="store_true", help="reference the evidence by its hashes instead of copying it"
    )
    output.add_format(parser)


def add_key(parser: argparse.ArgumentParser) -> None:
    """``--key``."""
    parser.add_argument("--key", metavar="FILE", help=f"private key (default: the file that {VARIABLE} names)")


def add_sign(parser: argparse.ArgumentParser) -> None:
    """``--sign`` and ``--key``, for verbs that can sign their result."""
    parser.add_argument("--sign", action="store_true", help="also sign a bundle, in handover/ of the workspace")
    add_key(parser)


def run(args: argparse.Namespace) -> int:
    """Sign, and print the key."""
    loaded = site.load(args)
    key = signing_key(args)
    path = sign_bundle(args, loaded, key, Path(args.out) if args.out else None)
    if args.format == "json":
        output.emit({"bundle": str(path), "key": key_fingerprint(key)})
    else:
        print("\n".join(bundle_lines(path, key)))
    return ExitCode.PASS


def signing_key(args: argparse.Namespace) -> Ed25519PrivateKey:
    """The named private key. Raises UsageError if there is none."""
    from rackwright import attest

    name = args.key or os.environ.get(VARIABLE)
    if not name:
        raise UsageError(f"no signing key: name one with --key or {VARIABLE}; `rackwright keygen FILE` makes one")
    return attest.load_private(Path(name))


def sign_bundle(args: argparse.Namespace, loaded: LoadedSite, key: Ed25519PrivateKey, out: Path | None = None) -> Path:
    """The signed bundle of the last judgement of the site."""
    from rackwright import collect
    from rackwright.flow import signed_bundle

    work = site.workspace(args, loaded.site)
    store_folder = getattr(args, "evidence", None)
    store = collect.Store(Path(store_folder) if store_folder else work.path / "evidence")
    copied = not getattr(args, "no_evidence", False)
    to = out or work.path / "handover"
    return signed_bundle.sign_bundle(loaded, site.expand(loaded), work.path / "report", store, key, to, copied=copied)


def key_fingerprint(key: Ed25519PrivateKey) -> str:
    """The fingerprint of its public key."""
    from rackwright import attest

    return attest.fingerprint(key.public_key())


def bundle_lines(path: Path, key: Ed25519PrivateKey) -> list[str]:
    """The lines to print about a new bundle."""
    return [
        f"Bundle: {path}",
        f"signed by key {key_fingerprint(key)}",
        f"check it with `rackwright verify {path} --key PUBLIC_KEY --rejudge`",
    ]
