"""Signing keys and the public keys that belong to them.

A private key is a PEM file that only its owner may read, with or without a passphrase, or it remains in an HSM or a
KMS, which signs by securesystemslib (``hsm:2?label=acceptance``).
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    SECP384R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from securesystemslib.exceptions import UnsupportedLibraryError
from securesystemslib.signer import CryptoSigner, Signer, SSlibKey

from rackwright.base.errors import OutsideError, UsageError

FORBIDDEN_MODE = 0o077
"""Permissions that a private key must not have."""
OUTSIDE = {
    "hsm": "python-pkcs11",
    "awskms": "boto3",
    "azurekms": "azure-keyvault-keys",
    "gcpkms": "google-cloud-kms",
    "hv": "hvac",
}
"""Scheme of the URI of an external key -> the package that reaches it (securesystemslib 1.6, 2026-11-23)."""
KINDS = "an Ed25519, ECDSA P-256 or ECDSA P-384 key"
Secret = Callable[[str], str]
"""Returns a passphrase or PIN; the argument describes its purpose."""


@dataclass(frozen=True)
class PublicKey:
    """A public key that verifies handovers."""

    crypto: Ed25519PublicKey | EllipticCurvePublicKey

    @property
    def fingerprint(self) -> str:
        """The fingerprint that ``ssh-keygen -l`` prints: people compare it by telephone, and it is the key id in
        envelopes.

        Go's DSSE library, which cosign uses, derives this id from a public key and skips signatures with any other one.
        """
        blob = self.crypto.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).split()[1]
        return "SHA256:" + base64.b64encode(hashlib.sha256(base64.b64decode(blob)).digest()).decode().rstrip("=")

    @property
    def older_key_id(self) -> str:
        """The key id in envelopes that rackwright wrote before it used securesystemslib; empty for keys that it did not
        support.
        """
        if not isinstance(self.crypto, Ed25519PublicKey):
            return ""
        return hashlib.sha256(self.crypto.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()

    @property
    def pem(self) -> bytes:
        """The key as PEM (SubjectPublicKeyInfo)."""
        return self.crypto.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def verifier(self, keyid: str = "") -> SSlibKey:
        """The key in the form of securesystemslib, for signatures with the id `keyid`."""
        return SSlibKey.from_crypto(self.crypto, keyid=keyid or self.fingerprint)


@dataclass(frozen=True)
class SigningKey:
    """A key that signs, wherever its private half is."""

    signer: Signer
    public: PublicKey


def generate_key(path: Path, passphrase: str = "") -> tuple[Path, str]:
    """Write a new Ed25519 key to `path` and its public key beside it; returns the public key's path and the fingerprint.

    Raises UsageError if one of the files exists: a key is never overwritten.
    """
    key = Ed25519PrivateKey.generate()
    public, verifier = path.with_name(f"{path.name}.pub"), PublicKey(key.public_key())
    lock: KeySerializationEncryption = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock)
    try:
        for file, content, mode in ((path, private, 0o600), (public, verifier.pem, 0o644)):
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
                stream.write(content)
                os.fsync(stream.fileno())
    except FileExistsError as error:
        raise UsageError(
            f"{error.filename} is there already, and a key is never overwritten: name another file"
        ) from None
    except OSError as error:
        raise OutsideError(f"the key cannot be written to {path}: {error.strerror or error}") from error
    return public, verifier.fingerprint


def load_signing_key(reference: str, secret: Secret, public: Path | None = None) -> SigningKey:
    """The key that `reference` names: a PEM file, or the URI of a key in an HSM or a KMS whose public key is in
    `public`.

    Raises UsageError if it cannot be used; never prints its content. `secret` is called for a passphrase or a PIN.
    """
    scheme = reference.partition(":")[0]
    if scheme not in OUTSIDE:
        return _load_file(Path(reference), secret)
    if public is None:
        raise UsageError(f"the key {reference} stays where it is: name its public key, a PEM file, with --public-key")
    try:
        key = load_public(public.read_bytes(), str(public))
        return SigningKey(Signer.from_priv_key_uri(reference, key.verifier(), secret), key)
    except UnsupportedLibraryError:
        raise UsageError(f"the key {reference} needs the Python package {OUTSIDE[scheme]}: install it") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"the key {reference} cannot be used: {error}") from None


def load_public(content: bytes, name: str) -> PublicKey:
    """The public key in `content`, the PEM file called `name`. Raises ValueError if there is none."""
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm):
        raise ValueError(f"{name} holds no public key") from None
    if isinstance(key, Ed25519PublicKey) or (isinstance(key, EllipticCurvePublicKey) and _is_usable(key)):
        return PublicKey(key)
    raise ValueError(f"{name} holds a key of another kind than {KINDS}")


def _load_file(path: Path, secret: Secret) -> SigningKey:
    try:
        content, mode = path.read_bytes(), path.stat().st_mode
    except OSError as error:
        raise UsageError(
            f"the signing key {path} cannot be read: {error.strerror}; `rackwright keygen` makes one"
        ) from None
    locked = b"ENCRYPTED" in content
    try:
        key = load_pem_private_key(content, secret(f"passphrase of {path}").encode() if locked else None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        reason = "its passphrase is another one" if locked else "it holds no private key; `rackwright keygen` makes one"
        raise UsageError(f"the signing key {path} cannot be used: {reason}") from None
    if isinstance(key, Ed25519PrivateKey) or (isinstance(key, EllipticCurvePrivateKey) and _is_usable(key)):
        public = PublicKey(key.public_key())
    else:
        raise UsageError(f"{path} holds a key of another kind than {KINDS}; `rackwright keygen` makes one")
    if mode & FORBIDDEN_MODE:
        raise UsageError(f"the signing key {path} may be read by others: run `chmod 600 {path}`")
    return SigningKey(CryptoSigner(key, public.verifier()), public)


def _is_usable(key: EllipticCurvePrivateKey | EllipticCurvePublicKey) -> bool:
    """Whether securesystemslib signs and verifies with the curve of this key."""
    return isinstance(key.curve, SECP256R1 | SECP384R1)
