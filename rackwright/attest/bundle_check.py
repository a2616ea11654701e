"""Finds every change of a bundle.

Without a trusted key the key in the bundle is used. That proves that nothing changed since the bundle was signed, not who
signed it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from rackwright.attest import envelope, statement
from rackwright.attest.keys import fingerprint, load_public
from rackwright.attest.statement import Statement
from rackwright.base.errors import Problem

ENVELOPE = "attestation.dsse.json"
PUBLIC_KEY = "signing-key.pub.pem"
UNREADABLE = "it "
"""Start of the sentences that stand in place of a hash."""


@dataclass(frozen=True)
class BundleCheck:
    """Result of checking a bundle."""

    problems: tuple[Problem, ...]
    statement: Statement | None
    """The signed statement; None if the signature is invalid."""
    key: str
    """Fingerprint of the key used; empty if there is none."""
    files: int


def check_bundle(folder: Path, trusted: Ed25519PublicKey | None = None) -> BundleCheck:
    """Every difference between `folder` and what was signed."""
    hashes = dict(_hashes(folder))
    if hashes.get(ENVELOPE, "").startswith(UNREADABLE):
        return BundleCheck((_problem(folder, ENVELOPE, hashes[ENVELOPE]),), None, "", len(hashes))
    try:
        sealed = envelope.read(_content(folder, ENVELOPE))
        key = trusted or load_public(_content(folder, PUBLIC_KEY), PUBLIC_KEY)
        reason = envelope.verify(sealed, key)
        if reason:
            return BundleCheck((_problem(folder, ENVELOPE, reason),), None, fingerprint(key), len(hashes))
        signed = statement.read(sealed.payload)
    except ValueError as error:
        return BundleCheck((_problem(folder, ENVELOPE, str(error)),), None, "", len(hashes))
    problems = sorted(_differences(folder, hashes, signed))
    return BundleCheck(tuple(problems), signed, fingerprint(key), len(hashes))


def _differences(folder: Path, hashes: Mapping[str, str], signed: Statement) -> Iterator[Problem]:
    for name, sha in signed.files.items():
        if name not in hashes:
            yield _problem(folder, name, "the file is missing")
        elif hashes[name] != sha:
            yield _problem(
                folder, name, hashes[name] if hashes[name].startswith(UNREADABLE) else "the file was changed"
            )
    for name in hashes:
        if name not in signed.files and name != ENVELOPE:
            yield _problem(folder, name, "the file was added")


def _hashes(folder: Path) -> Iterator[tuple[str, str]]:
    """Every path below `folder` with its hash; links, devices and unreadable files have a sentence in its place."""
    for place, folders, names in os.walk(folder):
        links = (name for name in folders if (Path(place) / name).is_symlink())
        for name in sorted([*names, *links]):
            path = Path(place) / name
            label = os.fsencode(path.relative_to(folder)).decode(errors="backslashreplace")  # names may be any bytes
            if path.is_symlink() or not path.is_file():
                yield label, "it is a link or a device, not a file"
                continue
            try:
                yield label, statement.digest(path.read_bytes())
            except OSError as error:
                yield label, f"it cannot be read: {error.strerror}"


def _content(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}") from error


def _problem(folder: Path, name: str, message: str) -> Problem:
    return Problem(
        place=str(folder / name),
        path="",
        message=message,
        expected="the bundle as it was signed",
        found="something else",
        next_step="do not rely on it: ask whoever handed it over for the bundle again",
        code="attest.changed",
    )
