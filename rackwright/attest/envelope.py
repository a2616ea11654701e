"""DSSE v1.0.2 envelopes with one Ed25519 signature, by securesystemslib (secure-systems-lab/dsse, 2026-11-21).

`read` is strict: it accepts only the exact bytes that `seal` writes. A change that means the same to a JSON parser is found too.
"""

from __future__ import annotations

import json

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, Signature

from rackwright.attest.keys import fingerprint, key_id, verification_key

PAYLOAD_TYPE = "application/vnd.in-toto+json"
"""Media type of an in-toto statement (in-toto/attestation, spec/v1/envelope.md)."""


def seal(payload: bytes, key: Ed25519PrivateKey) -> bytes:
    """The signed envelope of `payload`; equal input gives equal bytes (RFC 8032 signatures are deterministic)."""
    envelope = Envelope(payload, PAYLOAD_TYPE, {})
    envelope.sign(CryptoSigner(key, verification_key(key.public_key(), key_id(key.public_key()))))
    return _as_json(envelope)


def read(content: bytes) -> Envelope:
    """The envelope in `content`; `verify` checks its signature. Raises ValueError if `seal` did not write these bytes."""
    try:
        envelope = Envelope.from_dict(json.loads(content))
        [signature] = envelope.signatures.values()
    except Exception as error:
        raise ValueError("the attestation is no envelope of rackwright") from error
    signatures = {signature.keyid: Signature(signature.keyid, signature.signature)}
    if content != _as_json(Envelope(envelope.payload, PAYLOAD_TYPE, signatures)):
        raise ValueError("the attestation is not written as rackwright writes it: it was changed")
    return envelope


def verify(envelope: Envelope, key: Ed25519PublicKey) -> str:
    """Why the signature of the envelope is not from `key`; empty if it is."""
    [keyid] = envelope.signatures
    if keyid not in (key_id(key), fingerprint(key)):  # bundles of rackwright 0.1.0 have the fingerprint as key id
        return f"it claims to be signed by the key {keyid[:16]}…, not by {key_id(key)[:16]}…"
    try:
        envelope.verify([verification_key(key, keyid)], threshold=1)
    except VerificationError:
        return f"the signature is not from the key {fingerprint(key)[:16]}…"
    return ""


def _as_json(envelope: Envelope) -> bytes:
    return json.dumps(envelope.to_dict(), indent=1).encode() + b"\n"
