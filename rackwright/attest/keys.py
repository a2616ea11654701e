"""Ed25519 keys as PEM files. The private key is in one file that only its owner may read, and nowhere else."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from rackwright.base.errors import OutsideError, UsageError

OTHERS = 0o077
"""Permissions that a private key must not have."""


def fingerprint(key: Ed25519PublicKey) -> str:
    """SHA-256 of the raw public key, in hex: what people compare by telephone."""
    return hashlib.sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()


def public_pem(key: Ed25519PublicKey) -> bytes:
    """The public key as PEM (SubjectPublicKeyInfo)."""
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def generate(path: Path) -> tuple[Path, str]:
    """Write a new private key to `path` and its public key beside it; the path of the latter and the fingerprint.

    UsageError when either is there already: a key is never overwritten.
    """
    key = Ed25519PrivateKey.generate()
    public = path.with_name(f"{path.name}.pub")
    try:
        for file, content, mode in (
            (path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), 0o600),
            (public, public_pem(key.public_key()), 0o644),
        ):
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
                stream.write(content)
    except FileExistsError as error:
        raise UsageError(
            f"{error.filename} is there already, and a key is never overwritten: name another file"
        ) from None
    except OSError as error:
        raise OutsideError(f"the key cannot be written to {path}: {error.strerror or error}") from error
    return public, fingerprint(key.public_key())


def load_private(path: Path) -> Ed25519PrivateKey:
    """The private key in `path`. UsageError when it is none, or when others may read it; its content is never told."""
    try:
        content, mode = path.read_bytes(), path.stat().st_mode
    except OSError as error:
        raise UsageError(
            f"the signing key {path} cannot be read: {error.strerror}; `rackwright keygen` makes one"
        ) from None
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise UsageError(f"{path} holds no private key without a password; `rackwright keygen` makes one") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UsageError(f"{path} holds a key of another kind than Ed25519; `rackwright keygen` makes one")
    if mode & OTHERS:
        raise UsageError(f"the signing key {path} may be read by others: run `chmod 600 {path}`")
    return key


def load_public(content: bytes, name: str) -> Ed25519PublicKey:
    """The public key in `content`, the PEM file called `name`. ValueError when it is none, or not written as we write it."""
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm):
        raise ValueError(f"{name} holds no public key") from None
    if isinstance(key, Ed25519PublicKey):
        return key
    raise ValueError(f"{name} holds a key of another kind than Ed25519")
