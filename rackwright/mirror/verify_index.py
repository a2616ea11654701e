"""Checks that the mirror's indexes are signed by its key, whole, and list exactly what the lock names.

A host reads the index and not the lock, so both must agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from rackwright.base.errors import Problem
from rackwright.mirror import apt_index, rpm_index, unpack
from rackwright.mirror.layout import LOCK, PUBLIC_KEY
from rackwright.mirror.signature import Ring, SignatureError, read_clearsigned, verify_detached
from rackwright.mirror.stored_files import StoredFiles, is_rpm

Listed = set[tuple[str, str]]
"""Path below the mirror and SHA-256."""


def index_problems(stored: StoredFiles) -> list[Problem]:
    """All problems of the indexes of a mirror."""
    root = stored.layout.root
    try:
        ring = Ring((root / PUBLIC_KEY).read_bytes(), frozenset({stored.lock.signed_by} - {""}))
    except OSError as error:
        return [_problem(PUBLIC_KEY, "the public key of the mirror cannot be read", "a key", str(error.strerror))]
    problems_found: list[Problem] = []
    systems = {artifact.os for artifact in stored.lock.artifacts if artifact.kind == "package" and artifact.os}
    for os in sorted(systems):
        listed: Listed = set()
        if is_rpm(os):
            folders = sorted((root / "rpm" / os).glob("*/repodata"))
            for folder in folders:
                problems_found += _rpm(root, folder, ring, listed)
        else:
            problems_found += _suite(root, root / "dists" / os, ring, listed)
        problems_found += _index_differences(stored, os, listed)
    for suite in sorted((root / "dists").glob("*")):
        if suite.name not in systems:
            problems_found += _suite(root, suite, ring, set())
    return problems_found


def _suite(root: Path, folder: Path, ring: Ring, listed: Listed) -> Iterator[Problem]:
    """Signature, digests and entries of one apt suite; its entries are added to `listed`."""
    name = str(folder.relative_to(root))
    try:
        text, _ = read_clearsigned((folder / "InRelease").read_bytes(), ring)
        second = (folder / "Release").read_bytes()
        verify_detached(second, (folder / "Release.gpg").read_bytes(), ring)
    except (OSError, SignatureError) as error:
        yield _signature_problem(name, error)
        return
    if second != text:
        yield _signature_problem(name, SignatureError("InRelease and Release are not of one sync"))
    for path, (sha256, size) in apt_index.ReleaseFile(text.decode()).files.items():
        data = _read(folder / path)
        if data is None or len(data) != size or hashlib.sha256(data).hexdigest() != sha256:
            yield _problem(
                f"{name}/{path}", "an index is not the one that is signed", f"SHA-256 {sha256}", _describe(data)
            )
        elif path.endswith("/Packages"):
            entries = apt_index.listing("mirror", data.decode(), lambda entry: apt_index.parse(entry, ""))
            listed |= {(offer.place, offer.sha256) for offer in entries.all}


def _rpm(root: Path, folder: Path, ring: Ring, listed: Listed) -> Iterator[Problem]:
    """Signature, digests and entries of one rpm repository; its entries are added to `listed`."""
    name = str(folder.relative_to(root))
    try:
        summary = (folder / "repomd.xml").read_bytes()
        verify_detached(summary, (folder / "repomd.xml.asc").read_bytes(), ring)
        files = rpm_index.parts(summary)
    except (OSError, SignatureError, ValueError) as error:
        yield _signature_problem(name, error)
        return
    for kind, part in files.items():
        data = _read(folder.parent / part.path)
        if data is None or hashlib.sha256(data).hexdigest() != part.sha256:
            yield _problem(f"{name}/{kind}", "an index is not the one that is signed", part.sha256, _describe(data))
        elif kind == "primary":
            try:
                text = unpack.unpack(part.path, data)
            except ValueError as error:
                yield _problem(
                    f"{name}/{kind}", "an index cannot be read", "what `rackwright mirror` wrote", str(error)
                )
                continue
            entries = rpm_index.listing("mirror", text, folder.parent.name, lambda entry: rpm_index.parse(entry, ""))
            base = str(folder.parent.relative_to(root))
            listed |= {(f"{base}/{offer.place}", offer.sha256) for offer in entries.all}


def _index_differences(stored: StoredFiles, os: str, listed: Listed) -> Iterable[Problem]:
    """Packages in the index but not in the lock, and the reverse."""
    locked = {
        (artifact.path, artifact.sha256)
        for artifact in stored.lock.artifacts
        if artifact.kind == "package" and artifact.os == os
    }
    for path, sha256 in sorted(locked - listed):
        yield _problem(path, f"no index of {os} lists this package with its digest", f"SHA-256 {sha256}", "not listed")
    for path, sha256 in sorted(listed - locked):
        yield _problem(
            path, f"an index of {os} lists what the lock does not name", f"a line in {LOCK}", f"SHA-256 {sha256}"
        )


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _describe(data: bytes | None) -> str:
    return "no such file" if data is None else f"{len(data):,} bytes with SHA-256 {hashlib.sha256(data).hexdigest()}"


def _signature_problem(name: str, error: Exception) -> Problem:
    reason = (error.strerror or "") if isinstance(error, OSError) else str(error)
    return _problem(name, "the index cannot be trusted", f"a signature of the key in {LOCK}", reason)


def _problem(place: str, message: str, expected: str, problem: str) -> Problem:
    return Problem(
        place=place,
        path="",
        message=message,
        expected=expected,
        found=problem,
        next_step="run `rackwright mirror sync` on the connected side, then copy the mirror again",
        code="mirror.bad_index",
    )
