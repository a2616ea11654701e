"""The signature of an approver of a waiver: a DSSE envelope of its content, whose key and signature are stored in the
file of waivers.
"""

from __future__ import annotations

import base64
import binascii

from rackwright.attest import envelope
from rackwright.attest.keys import SigningKey, load_public
from rackwright.model.gate import Waiver, WaiverSignature

PAYLOAD_TYPE = "application/vnd.rackwright.waiver+json"
PEM = "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n"


def sign_waiver(content: bytes, waiver: Waiver, approver: str, key: SigningKey) -> WaiverSignature:
    """The signature of `approver` for `waiver` with the content `content`.

    OutsideError if the HSM or KMS that holds the key refuses.
    """
    signature = envelope.sign(content, PAYLOAD_TYPE, key).signatures[key.public.fingerprint].signature
    public = "".join(key.public.pem.decode().splitlines()[1:-1])
    check, node, part = waiver.key
    return WaiverSignature(approver=approver, check=check, node=node, object=part, key=public, signature=str(signature))


def waiver_signer(content: bytes, signature: WaiverSignature) -> str:
    """The fingerprint of the key that signed `content`; empty if the signature is invalid."""
    try:
        base64.b64decode(signature.key, validate=True)
        key = load_public(PEM.format(signature.key).encode(), "the key")
    except (ValueError, binascii.Error):
        return ""
    written = envelope.with_signature(content, PAYLOAD_TYPE, key.fingerprint, signature.signature)
    return "" if envelope.verify(written, key) else key.fingerprint
