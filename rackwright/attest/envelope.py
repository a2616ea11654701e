"""DSSE v1.0.2 envelopes with one signature, by securesystemslib (secure-systems-lab/dsse, 2026-11-21).

`read` is strict: it accepts only the exact bytes that `seal` writes. A change that a JSON parser would not notice is
found too.
"""

from __future__ import annotations

import json

from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import Signature

from rackwright.attest.keys import PublicKey, SigningKey
from rackwright.base.errors import OutsideError

PAYLOAD_TYPE = "application/vnd.in-toto+json"
"""Media type of an in-toto statement (in-toto/attestation, spec/v1/envelope.md)."""


def seal(payload: bytes, key: SigningKey) -> bytes:
    """The signed envelope of `payload`. Equal input gives equal bytes with an Ed25519 key (RFC 8032: deterministic signatures).

    Raises what `sign` raises.
    """
    return _as_json(sign(payload, PAYLOAD_TYPE, key))


def sign(payload: bytes, payload_type: str, key: SigningKey) -> Envelope:
    """The envelope of `payload` with the signature of `key`. Raises OutsideError if the HSM or KMS that holds it refuses to sign."""
    envelope = Envelope(payload, payload_type, {})
    try:
        envelope.sign(key.signer)
    except Exception as error:  # every library of an HSM or a KMS has errors of its own
        raise OutsideError(f"the key {key.public.fingerprint} did not sign: {error or type(error).__name__}") from error
    return envelope


def with_signature(payload: bytes, payload_type: str, keyid: str, signature: str) -> Envelope:
    """The envelope of `payload` with a signature, in hex, that was stored separately; `verify` checks it."""
    return Envelope(payload, payload_type, {keyid: Signature(keyid, signature)})


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


def key_id(envelope: Envelope) -> str:
    """The id of the key by which the envelope claims to be signed."""
    [keyid] = envelope.signatures
    return str(keyid)


def verify(envelope: Envelope, key: PublicKey) -> str:
    """Why the signature of the envelope is not from `key`; empty if it is."""
    keyid = key_id(envelope)
    if keyid not in (key.fingerprint, key.older_key_id):
        return f"it claims to be signed by the key {keyid}, not by {key.fingerprint}"
    try:
        envelope.verify([key.verifier(keyid)], threshold=1)
    except VerificationError:
        return f"the signature is not from the key {key.fingerprint}"
    return ""


def _as_json(envelope: Envelope) -> bytes:
    return json.dumps(envelope.to_dict(), indent=1).encode() + b"\n"
