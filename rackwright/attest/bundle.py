"""Writes a bundle: files, a statement over their hashes, its signature, and the public key of a signature with a key.

A bundle is written under a temporary name, made durable and renamed. A process that is killed at any moment leaves
existing bundles unchanged, and the next process removes its unfinished bundle. A signed bundle is never replaced or
removed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from rackwright.attest import envelope, statement
from rackwright.attest.bundle_check import ENVELOPE, PUBLIC_KEY, envelope_of
from rackwright.attest.facts import HandoverFacts
from rackwright.attest.identity import IDENTITY_ENVELOPE, IdentitySigner
from rackwright.attest.keys import SigningKey
from rackwright.base.durable_file import sync_folder, write_synced
from rackwright.base.errors import OutsideError, UsageError
from rackwright.base.file_lock import take_lock

LOCK = ".lock"
UNFINISHED = ".unfinished-"
Signer = SigningKey | IdentitySigner


def write_bundle(folder: Path, files: Mapping[str, bytes | Path], facts: HandoverFacts, signer: Signer) -> Path:
    """Write the signed bundle of a run into `folder`, which holds one bundle per signature; returns the path of the new
    one.

    It is named after the run; a second signature of the same run has a number (``RUN.2``). Raises UsageError if
    `folder` is a bundle itself or if another process writes to it, and OutsideError if it cannot be written.
    """
    if envelope_of(folder):
        raise UsageError(
            f"{folder} is a bundle itself, and a signed bundle is never changed: name another folder with --out"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = take_lock(folder / LOCK, f"another rackwright writes a bundle to {folder}: wait until it has ended")
        try:
            for begun in folder.glob(f"{UNFINISHED}*"):
                shutil.rmtree(begun)
            return _write(folder, _free_name(folder, facts.run), files, facts, signer)
        finally:
            os.close(lock)
    except OSError as error:
        raise OutsideError(f"the bundle cannot be written to {folder}: {error.strerror or error}") from error


def _write(folder: Path, name: str, files: Mapping[str, bytes | Path], facts: HandoverFacts, signer: Signer) -> Path:
    fresh = folder / f"{UNFINISHED}{name}"
    try:
        fresh.mkdir()
        hashes = {path: _copy(fresh, path, content) for path, content in files.items()}
        if isinstance(signer, SigningKey):
            hashes[PUBLIC_KEY] = _copy(fresh, PUBLIC_KEY, signer.public.pem)
        file, sealed = _sealed(statement.write(statement.Statement(hashes, facts)), signer)
        write_synced(fresh / file, sealed)
        for inner in [*(path for path in fresh.rglob("*") if path.is_dir()), fresh]:
            sync_folder(inner)
        fresh.rename(folder / name)
        sync_folder(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder / name


def _sealed(payload: bytes, signer: Signer) -> tuple[str, bytes]:
    """(name, content) of the file with the signature."""
    if isinstance(signer, IdentitySigner):
        return IDENTITY_ENVELOPE, signer.seal(payload)
    return ENVELOPE, envelope.seal(payload, signer)


def _free_name(folder: Path, run: str) -> str:
    """The name of the next bundle of `run`."""
    name = PurePosixPath(run)
    if len(name.parts) != 1 or run.startswith("."):
        raise UsageError(f"{run!r} is no name of a run: run `rackwright gate` again")
    number = 2
    free = run
    while (folder / free).exists():
        free, number = f"{run}.{number}", number + 1
    return free


def _copy(folder: Path, name: str, content: bytes | Path) -> str:
    """Write one file of the bundle; returns its SHA-256."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or name in (ENVELOPE, IDENTITY_ENVELOPE, ""):
        raise UsageError(f"{name} does not lie inside the bundle")
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else content.read_bytes()
    write_synced(target, data)
    return statement.digest(data)
