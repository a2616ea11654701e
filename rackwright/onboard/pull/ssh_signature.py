"""Signatures of Ed25519 keys as ``ssh-keygen -Y`` makes and takes them (openssh-portable, PROTOCOL.sshsig)."""

from __future__ import annotations

import base64
import binascii
import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

ALGORITHM, MAGIC, VERSION, HASH = b"ssh-ed25519", b"SSHSIG", 1, b"sha512"
KEY_BYTES = 32
ARMOR = 70
"""Characters per line of a signature, as ssh-keygen writes it."""


def sign(key: Ed25519PrivateKey, namespace: str, message: bytes) -> bytes:
    """The signature of `message`, which counts for `namespace` alone."""
    raw = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return _head(raw, namespace) + _strings(_strings(ALGORITHM, key.sign(_signed(namespace, message))))


def armored(signature: bytes) -> str:
    """As a file."""
    text = base64.b64encode(signature).decode()
    lines = [text[start : start + ARMOR] for start in range(0, len(text), ARMOR)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


def is_from(public: str, namespace: str, message: bytes, signature: str) -> bool:
    """Whether the holder of `public` (a line of OpenSSH) signed `message` for `namespace`; `signature`: in base64, on one line."""
    try:
        raw = base64.b64decode(public.split()[1], validate=True)[-KEY_BYTES:]
        parts = base64.b64decode(signature, validate=True)
        head = _head(raw, namespace) + _strings(_strings(ALGORITHM, bytes(64)))[:-64]
        if not parts.startswith(head):
            return False
        Ed25519PublicKey.from_public_bytes(raw).verify(parts[len(head) :], _signed(namespace, message))
    except (IndexError, ValueError, binascii.Error, InvalidSignature):
        return False
    return True


def _head(raw: bytes, namespace: str) -> bytes:
    public = _strings(_strings(ALGORITHM, raw))
    return MAGIC + VERSION.to_bytes(4, "big") + public + _strings(namespace.encode(), b"", HASH)


def _signed(namespace: str, message: bytes) -> bytes:
    return MAGIC + _strings(namespace.encode(), b"", HASH, hashlib.sha512(message).digest())


def _strings(*parts: bytes) -> bytes:
    """Strings of RFC 4251, 5."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
