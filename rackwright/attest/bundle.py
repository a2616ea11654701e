"""Writes a bundle: files, a statement over their hashes, its signature, and the public key. A failure leaves no partial bundle."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rackwright.attest import envelope, statement
from rackwright.attest.bundle_check import ENVELOPE, PUBLIC_KEY
from rackwright.attest.keys import public_pem
from rackwright.base.errors import OutsideError, UsageError


def write_bundle(
    folder: Path, files: Mapping[str, bytes | Path], facts: Mapping[str, Any], key: Ed25519PrivateKey
) -> Path:
    """Write the signed bundle to `folder`, replacing an older bundle. Raises UsageError if the folder holds other files."""
    if folder.exists() and any(folder.iterdir()) and not (folder / ENVELOPE).is_file():
        raise UsageError(f"{folder} holds something else than a bundle: name another folder with --out")
    fresh = folder.with_name(f".{folder.name}.new")
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        hashes = {name: _copy(fresh, name, content) for name, content in files.items()}
        hashes[PUBLIC_KEY] = _copy(fresh, PUBLIC_KEY, public_pem(key.public_key()))
        payload = statement.write(statement.Statement(hashes, facts))
        (fresh / ENVELOPE).write_bytes(envelope.seal(payload, key))
        shutil.rmtree(folder, ignore_errors=True)
        fresh.replace(folder)
    except OSError as error:
        raise OutsideError(f"the bundle cannot be written to {folder}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def _copy(folder: Path, name: str, content: bytes | Path) -> str:
    """Write one file of the bundle; returns its SHA-256."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or name in (ENVELOPE, ""):
        raise UsageError(f"{name} does not lie inside the bundle")
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else content.read_bytes()
    target.write_bytes(data)
    return statement.digest(data)
