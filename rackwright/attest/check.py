"""Finds every change of a bundle.

Without a key of the reader's own the key in the bundle is used: that shows that nothing was changed since it was signed,
and not who signed it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from rackwright.attest import envelope, statement
from rackwright.attest.keys import fingerprint, load_public
from rackwright.attest.statement import Statement
from rackwright.base.errors import Problem

ENVELOPE = "attestation.dsse.json"
PUBLIC_KEY = "signing-key.pub.pem"
NO_FILE = "it "
"""How the sentences begin that stand in place of a hash."""


@dataclass(frozen=True)
class Checked:
    """What came of it."""

    problems: tuple[Problem, ...]
    statement: Statement | None
    """What was signed; None when the signature does not hold."""
    key: str
    """Fingerprint of the key that was used; empty when there is none."""
    files: int


def check(folder: Path, trusted: Ed25519PublicKey | None = None) -> Checked:
    """Everything in `folder` that is not what was signed."""
    found = dict(_files(folder))
    if found.get(ENVELOPE, "").startswith(NO_FILE):
        return Checked((_problem(folder, ENVELOPE, found[ENVELOPE]),), None, "", len(found))
    try:
        sealed = envelope.read(_content(folder, ENVELOPE))
        key = trusted or load_public(_content(folder, PUBLIC_KEY), PUBLIC_KEY)
        why = envelope.verify(sealed, key)
        if why:
            return Checked((_problem(folder, ENVELOPE, why),), None, fingerprint(key), len(found))
        signed = statement.read(sealed.payload)
    except ValueError as error:
        return Checked((_problem(folder, ENVELOPE, str(error)),), None, "", len(found))
    problems = sorted(_differences(folder, found, signed))
    return Checked(tuple(problems), signed, fingerprint(key), len(found))


def _differences(folder: Path, found: dict[str, str], signed: Statement) -> Iterator[Problem]:
    for name, sha in signed.files.items():
        if name not in found:
            yield _problem(folder, name, "the file is missing")
        elif found[name] != sha:
            yield _problem(folder, name, found[name] if found[name].startswith(NO_FILE) else "the file was changed")
    for name in found:
        if name not in signed.files and name != ENVELOPE:
            yield _problem(folder, name, "the file was added")


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    """Every name below `folder` with its hash; what is no file of its own gets a sentence instead, which is no hash."""
    for place, folders, names in os.walk(folder):
        for name in sorted([*names, *(one for one in folders if (Path(place) / one).is_symlink())]):
            path = Path(place) / name
            said = os.fsencode(path.relative_to(folder)).decode(errors="backslashreplace")  # names may be any bytes
            if path.is_symlink() or not path.is_file():
                yield said, "it is a link or a device, not a file"
                continue
            try:
                yield said, statement.digest(path.read_bytes())
            except OSError as error:
                yield said, f"it cannot be read: {error.strerror}"


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
