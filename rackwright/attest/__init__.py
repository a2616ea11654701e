"""The attestation: a bundle of everything a handover rests on, and one signature over all of it.

   envelope.py    DSSE: what is signed, and how it is written        keys.py   Ed25519 keys as PEM files
   statement.py   the in-toto statement: files by hash, and facts    bundle.py writes a bundle    check.py finds every change

It judges nothing: what the files mean is for the stages that made them.
"""

from rackwright.attest.bundle import write
from rackwright.attest.check import ENVELOPE, PUBLIC_KEY, Checked, check
from rackwright.attest.keys import fingerprint, generate, load_private, load_public
from rackwright.attest.statement import canonical, digest

__all__ = [
    "ENVELOPE",
    "PUBLIC_KEY",
    "Checked",
    "canonical",
    "check",
    "digest",
    "fingerprint",
    "generate",
    "load_private",
    "load_public",
    "write",
]
