"""The CA of a twin's Kubernetes cluster: certificates of the API server and of kubelets.

In: a folder and the address of the server. Out: ``ca.pem`` in the folder, signed requests. The CA's key stays in memory.
"""

from __future__ import annotations

import datetime
import ssl
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFE = datetime.timedelta(days=30)
"""Longer than any twin; a new one is made at every start."""


class Authority:
    """One CA."""

    def __init__(self, folder: Path, address: str) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("rackwright twin Kubernetes CA")
        made = _builder(self._name, self._name, self._key.public_key())
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        made = made.add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
        signing = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
        self._certificate = made.add_extension(signing, critical=True).sign(self._key, hashes.SHA256())
        self.certificate = self._certificate.public_bytes(serialization.Encoding.PEM)
        self.file = folder / "ca.pem"
        self.file.write_bytes(self.certificate)
        self._server(address)

    def server_context(self) -> ssl.SSLContext:
        """TLS settings of the API server: who has a certificate of this CA is known by it."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(self.file))
        context.load_cert_chain(self._folder / "server.pem")
        context.verify_mode = ssl.CERT_OPTIONAL
        return context

    def sign(self, request: bytes) -> bytes:
        """The certificate of a kubelet, for its request (PEM)."""
        asked = x509.load_pem_x509_csr(request)
        key = asked.public_key()
        assert isinstance(key, ec.EllipticCurvePublicKey)
        return self._signed(asked.subject, key, ExtendedKeyUsageOID.CLIENT_AUTH, None)

    def _server(self, address: str) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
        certificate = self._signed(_name("kube-apiserver"), key.public_key(), ExtendedKeyUsageOID.SERVER_AUTH, names)
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path = self._folder / "server.pem"
        path.touch(mode=0o600)
        path.write_bytes(certificate + private)

    def _signed(
        self,
        subject: x509.Name,
        key: ec.EllipticCurvePublicKey,
        usage: x509.ObjectIdentifier,
        names: x509.SubjectAlternativeName | None,
    ) -> bytes:
        made = _builder(subject, self._name, key).add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        made = made.add_extension(issuer, critical=False)
        made = made.add_extension(names, critical=False) if names else made
        return made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + LIFE)
    )
