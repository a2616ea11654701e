"""The attestation: a bundle of everything that a handover is based on, and one signature over all of it.

    envelope.py    DSSE envelopes by securesystemslib             keys.py   keys as PEM files, in an HSM or in a KMS
    statement.py   the in-toto statement: files by hash           facts.py  the facts in it
    signed_waiver.py  signatures of approvers of waivers
    identity.py    Sigstore identities instead of keys             certificate.py  the signer named by its certificate
    bundle.py      writes a bundle                                bundle_check.py finds every change    trust.py trusted signers

It judges nothing: the stages that wrote the files know their meaning.
"""

from rackwright.attest.bundle import Signer, write_bundle
from rackwright.attest.bundle_check import (
    ENVELOPE,
    PUBLIC_KEY,
    BundleCheck,
    check_bundle,
    envelope_of,
    signed_facts,
    signing_identity,
)
from rackwright.attest.facts import HandoverFacts
from rackwright.attest.identity import IDENTITY_ENVELOPE, IdentitySigner, TrustedIdentity, ambient_token
from rackwright.attest.keys import PublicKey, SigningKey, generate_key, load_public, load_signing_key
from rackwright.attest.signed_waiver import sign_waiver, waiver_signer
from rackwright.attest.statement import canonical_json, digest
from rackwright.attest.trust import TrustedKeys, load_trust, trust_in

__all__ = [
    "ENVELOPE",
    "IDENTITY_ENVELOPE",
    "PUBLIC_KEY",
    "BundleCheck",
    "HandoverFacts",
    "IdentitySigner",
    "PublicKey",
    "Signer",
    "SigningKey",
    "TrustedIdentity",
    "TrustedKeys",
    "ambient_token",
    "canonical_json",
    "check_bundle",
    "digest",
    "envelope_of",
    "generate_key",
    "load_public",
    "load_signing_key",
    "load_trust",
    "sign_waiver",
    "signed_facts",
    "signing_identity",
    "trust_in",
    "waiver_signer",
    "write_bundle",
]
