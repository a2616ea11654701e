"""DSSE v1.0.2 envelopes with one Ed25519 signature (secure-systems-lab/dsse, protocol.md and envelope.md, 2026-11-21).

An envelope is read strictly: only the very
bytes that `seal` writes are one, so that no change of it goes unseen, not even one that means the same to a JSON parser.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from rackwright.attest.keys import fingerprint

PAYLOAD_TYPE = "application/vnd.in-toto+json"
"""Media type of an in-toto statement (in-toto/attestation, spec/v1/envelope.md)."""


@dataclass(frozen=True)
class Envelope:
    """What an envelope holds."""

    payload: bytes
    signature: bytes
    key: str
    """Fingerprint of the key that is said to have signed; a hint, proven by `verify` alone."""


def pae(kind: str, body: bytes) -> bytes:
    """The pre-authentication encoding: what is really signed (protocol.md, "Signature Definition")."""
    name = kind.encode()
    return b"DSSEv1 %d %b %d %b" % (len(name), name, len(body), body)


def seal(payload: bytes, key: Ed25519PrivateKey) -> bytes:
    """The envelope of `payload`, signed; the same input always gives the same bytes (RFC 8032 signatures are deterministic)."""
    signature = key.sign(pae(PAYLOAD_TYPE, payload))
    return _written(Envelope(payload, signature, fingerprint(key.public_key())))


def read(content: bytes) -> Envelope:
    """The envelope in `content`, its signature not yet proven. ValueError, with a sentence, when it is none of ours."""
    try:
        data = json.loads(content)
        [signature] = data["signatures"]
        found = Envelope(_bytes(data["payload"]), _bytes(signature["sig"]), str(signature["keyid"]))
    except (ValueError, KeyError, TypeError, binascii.Error) as error:
        raise ValueError("the attestation is no envelope of rackwright") from error
    if content != _written(found):
        raise ValueError("the attestation is not written as rackwright writes it: it was changed")
    return found


def verify(envelope: Envelope, key: Ed25519PublicKey) -> str:
    """Why the envelope is not one that `key` signed; empty when it is."""
    if envelope.key != fingerprint(key):
        return f"it is said to be signed by the key {envelope.key[:16]}…, not by {fingerprint(key)[:16]}…"
    try:
        key.verify(envelope.signature, pae(PAYLOAD_TYPE, envelope.payload))
    except InvalidSignature:
        return f"the signature is not of the key {fingerprint(key)[:16]}…"
    return ""


def _written(envelope: Envelope) -> bytes:
    signature = {"keyid": envelope.key, "sig": base64.b64encode(envelope.signature).decode()}
    payload = base64.b64encode(envelope.payload).decode()
    data = {"payload": payload, "payloadType": PAYLOAD_TYPE, "signatures": [signature]}
    return json.dumps(data, indent=1).encode() + b"\n"


def _bytes(text: object) -> bytes:
    return base64.b64decode(str(text), validate=True)
