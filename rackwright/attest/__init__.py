"""The attestation: a bundle of everything a handover rests on, and one signature over all of it.

   envelope.py    DSSE envelopes by securesystemslib             keys.py   Ed25519 keys as PEM files
   statement.py   the in-toto statement: files by hash, facts    bundle.py writes a bundle    bundle_check.py finds every change

It judges nothing: the stages that wrote the files know what they mean.
"""

from rackwright.attest.bundle import write_bundle
from rackwright.attest.bundle_check import ENVELOPE, PUBLIC_KEY, BundleCheck, check_bundle
from rackwright.attest.keys import fingerprint, generate_key, load_private, load_public
from rackwright.attest.statement import canonical_json, digest

__all__ = [
    "ENVELOPE",
    "PUBLIC_KEY",
    "BundleCheck",
    "canonical_json",
    "check_bundle",
    "digest",
    "fingerprint",
    "generate_key",
    "load_private",
    "load_public",
    "write_bundle",
]
