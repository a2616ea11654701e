"""The certificate of a Sigstore identity, as issued by Fulcio: the signer and the identity provider (sigstore/fulcio,
docs/oid-info.md, 2026-11-26).
"""

from __future__ import annotations

import base64
from dataclasses import dataclass

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.hashes import SHA256

ISSUER = x509.ObjectIdentifier("1.3.6.1.4.1.57264.1.1")
"""Extension with the URL of the identity provider, as text."""


@dataclass(frozen=True)
class CertifiedSigner:
    """Content of a certificate; whether the certificate is trusted is decided elsewhere."""

    name: str
    """Mail address or URI."""
    issuer: str
    """URL of the identity provider."""
    key: EllipticCurvePublicKey

    @property
    def text(self) -> str:
        """Signer and issuer in words."""
        return f"{self.name}, as {self.issuer} states"

    def signed(self, content: bytes, signature: bytes) -> bool:
        """Whether `signature` is a valid signature of `content` by the key of the certificate."""
        try:
            self.key.verify(signature, content, ECDSA(SHA256()))
        except InvalidSignature:
            return False
        return True


def read(encoded: str) -> CertifiedSigner:
    """The signer in a certificate, Base64 of DER. Raises ValueError if Fulcio does not issue such certificates."""
    certificate = x509.load_der_x509_certificate(base64.b64decode(encoded))
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        issuer = certificate.extensions.get_extension_for_oid(ISSUER).value
    except x509.ExtensionNotFound as error:
        raise ValueError("the certificate names no identity") from error
    key = certificate.public_key()
    if not isinstance(key, EllipticCurvePublicKey):
        raise ValueError("the certificate holds another kind of key than ECDSA")  # noqa: TRY004
    [name] = [
        *names.get_values_for_type(x509.RFC822Name),
        *names.get_values_for_type(x509.UniformResourceIdentifier),
    ]
    return CertifiedSigner(name, issuer.public_bytes().decode(), key)
