"""Ed25519 keys as PEM files. The private key is only in one file, which only its owner may read."""

from __future__ import annotations

import base64
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
from securesystemslib.signer import SSlibKey

from rackwright.base.errors import OutsideError, UsageError

FORBIDDEN_MODE = 0o077
"""Permissions that a private key must not have."""


def fingerprint(key: Ed25519PublicKey) -> str:
    """SHA-256 of the raw public key, in hex: what people compare by telephone."""
    return hashlib.sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()


def key_id(key: Ed25519PublicKey) -> str:
    """The fingerprint that ``ssh-keygen -l`` prints.

    Go's DSSE library, which cosign uses, derives this id from a public key and skips signatures with any other one.
    """
    blob = key.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).split()[1]
    return "SHA256:" + base64.b64encode(hashlib.sha256(base64.b64decode(blob)).digest()).decode().rstrip("=")


def verification_key(key: Ed25519PublicKey, keyid: str) -> SSlibKey:
    """The key as securesystemslib takes it, for signatures with the id `keyid`."""
    return SSlibKey.from_crypto(key, keyid=keyid)


def public_pem(key: Ed25519PublicKey) -> bytes:
    """The public key as PEM (SubjectPublicKeyInfo)."""
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def generate_key(path: Path) -> tuple[Path, str]:
    """Write a new private key to `path` and its public key beside it; returns the public key's path and the fingerprint.

    Raises UsageError if one of the files exists: a key is never overwritten.
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
    """The private key in `path`. Raises UsageError if it is no private key or if others may read it; never prints its content."""
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
    if mode & FORBIDDEN_MODE:
        raise UsageError(f"the signing key {path} may be read by others: run `chmod 600 {path}`")
    return key


def load_public(content: bytes, name: str) -> Ed25519PublicKey:
    """The Ed25519 public key in `content`, the PEM file called `name`. Raises ValueError if there is none."""
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm):
        raise ValueError(f"{name} holds no public key") from None
    if isinstance(key, Ed25519PublicKey):
        return key
    raise ValueError(f"{name} holds a key of another kind than Ed25519")
