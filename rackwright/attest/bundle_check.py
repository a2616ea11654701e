"""Finds every change of a bundle.

Without a trusted key the key in the bundle is used. That proves that the bundle matches its own signature, not who
signed it: whoever changes a bundle can sign it again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rackwright.attest import envelope, statement
from rackwright.attest.facts import HandoverFacts
from rackwright.attest.identity import IDENTITY_ENVELOPE, TrustedIdentity, own_payload
from rackwright.attest.keys import load_public
from rackwright.attest.statement import Statement
from rackwright.attest.trust import TrustedKeys
from rackwright.base import foreign
from rackwright.base.errors import Problem

ENVELOPE = "attestation.dsse.json"
PUBLIC_KEY = "signing-key.pub.pem"
FILE, DOCUMENT = foreign.limit("bundle_file"), foreign.limit("bundle_document")
UNREADABLE = "it "
"""Start of the sentences that replace a hash."""


@dataclass(frozen=True)
class BundleCheck:
    """Result of checking a bundle."""

    problems: tuple[Problem, ...]
    statement: Statement | None
    """The signed statement; None if the signature is invalid."""
    key: str
    """Fingerprint of the key used; empty if there is none."""
    files: int
    identity: str = ""
    """The Sigstore identity that signed; empty if a key signed."""


def envelope_of(folder: Path) -> str:
    """The name of the file with the signature of a bundle; empty if there is no bundle."""
    return next((name for name in (ENVELOPE, IDENTITY_ENVELOPE) if (folder / name).is_file()), "")


def check_bundle(folder: Path, trust: TrustedKeys | TrustedIdentity | None = None) -> BundleCheck:
    """Every difference between `folder` and the signed content, and why the signature does not count for a reader with
    `trust`.
    """
    hashes = dict(islice(_hashes(folder), FILE.documents + 1))
    if len(hashes) > FILE.documents:
        return BundleCheck(
            (_problem(folder, "", f"it holds more than {FILE.documents:,} files"),), None, "", len(hashes)
        )
    name = envelope_of(folder) or ENVELOPE
    if hashes.get(name, "").startswith(UNREADABLE):
        return BundleCheck((_problem(folder, name, hashes[name]),), None, "", len(hashes))
    try:
        opened = _open_envelope(folder, name, trust)
    except ValueError as error:
        return BundleCheck((_problem(folder, name, str(error)),), None, "", len(hashes))
    if opened.statement is None:
        return BundleCheck((_problem(folder, name, opened.reason),), None, opened.key, len(hashes), opened.identity)
    problems = tuple(sorted(_differences(folder, hashes, name, opened.statement)))
    return BundleCheck(problems, opened.statement, opened.key, len(hashes), opened.identity)


def signed_facts(folder: Path) -> HandoverFacts:
    """The facts that the bundle's own key or certificate signed; its files are not checked.

    Raises ValueError with a sentence if there are none.
    """
    opened = _open_envelope(folder, envelope_of(folder) or ENVELOPE, None)
    if opened.statement is None:
        raise ValueError(opened.reason)
    return opened.statement.facts


def signing_identity(folder: Path) -> str:
    """The Sigstore identity that signed a bundle, by the bundle's own certificate. Raises ValueError with a sentence if there is none."""
    return own_payload(_content(folder, IDENTITY_ENVELOPE))[0]


@dataclass(frozen=True)
class _Opened:
    """The statement that was signed, or the reason why it does not count."""

    statement: Statement | None
    reason: str = ""
    key: str = ""
    identity: str = ""


def _open_envelope(folder: Path, name: str, trust: TrustedKeys | TrustedIdentity | None) -> _Opened:
    """The opened envelope `name` of the bundle. Raises ValueError for a malformed file."""
    content = _content(folder, name)
    if name == IDENTITY_ENVELOPE:
        return _open_identity(content, trust)
    if isinstance(trust, TrustedIdentity):
        return _Opened(None, "it is signed with a key, not with a Sigstore identity: name the key with --key")
    return _open_key(folder, content, trust)


def _open_identity(content: bytes, trust: TrustedKeys | TrustedIdentity | None) -> _Opened:
    if isinstance(trust, TrustedKeys):
        step = "name who must have signed with --sigstore-identity and --sigstore-issuer"
        return _Opened(None, f"it is signed with a Sigstore identity, not with a key: {step}")
    identity, payload = own_payload(content)
    return _Opened(statement.read(trust.open(content) if trust else payload), identity=identity)


def _open_key(folder: Path, content: bytes, trust: TrustedKeys | None) -> _Opened:
    sealed = envelope.read(content)
    keyid = envelope.key_id(sealed)
    key = trust.find(keyid) if trust else load_public(_content(folder, PUBLIC_KEY), PUBLIC_KEY)
    if key is None:
        return _Opened(None, f"it claims to be signed by the key {keyid}, which nobody has whom you trust")
    reason = envelope.verify(sealed, key)
    signed = None if reason else statement.read(sealed.payload)
    if signed is not None and trust:
        reason = trust.refusal(key, signed.facts.created_at)
    return _Opened(None if reason else signed, reason, key.fingerprint)


def _differences(folder: Path, hashes: Mapping[str, str], sealed: str, signed: Statement) -> Iterator[Problem]:
    for name, sha in signed.files.items():
        if name not in hashes:
            yield _problem(folder, name, "the file is missing")
        elif hashes[name] != sha:
            yield _problem(
                folder, name, hashes[name] if hashes[name].startswith(UNREADABLE) else "the file was changed"
            )
    for name in hashes:
        if name not in signed.files and name != sealed:
            yield _problem(folder, name, "the file was added")


def _hashes(folder: Path) -> Iterator[tuple[str, str]]:
    """Every path below `folder` with its hash; for links, devices and unreadable files a sentence instead."""
    for place, folders, names in os.walk(folder):
        links = (name for name in folders if (Path(place) / name).is_symlink())
        for name in sorted([*names, *links]):
            path = Path(place) / name
            label = os.fsencode(path.relative_to(folder)).decode(errors="backslashreplace")  # names may be any bytes
            if path.is_symlink() or not path.is_file():
                yield label, "it is a link or a device, not a file"
                continue
            yield label, _hash(path)


def _hash(path: Path) -> str:
    try:
        if path.stat().st_size > FILE.bytes:
            return f"it is larger than {foreign.size(FILE.bytes)}, which no file of a bundle is"
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        return f"it cannot be read: {error.strerror}"


def _content(folder: Path, name: str) -> bytes:
    try:
        with (folder / name).open("rb") as stream:
            content = stream.read(DOCUMENT.bytes + 1)
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}") from error
    if len(content) > DOCUMENT.bytes:
        raise ValueError(f"{name} is larger than {foreign.size(DOCUMENT.bytes)}, which none of rackwright is")
    return content


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
