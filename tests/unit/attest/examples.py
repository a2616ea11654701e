"""Keys and facts for tests of signed bundles."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.signer import CryptoSigner

from rackwright.attest import HandoverFacts, PublicKey, SigningKey
from rackwright.attest.facts import Basis

FACTS = HandoverFacts(
    site="pod",
    run="gate-20261121T100000",
    created="2026-11-21T10:00:00+00:00",
    rehearsal=False,
    basis=Basis(rackwright="0.1.0", evidence={"20261121T090000": "ab" * 32}),
    verdicts_sha256="cd" * 32,
    gate="handover",
    accepted=["train-001"],
    refused=[],
)


def signing_key(private: Ed25519PrivateKey | EllipticCurvePrivateKey) -> SigningKey:
    """A key in memory."""
    public = PublicKey(private.public_key())
    return SigningKey(CryptoSigner(private, public.verifier()), public)
