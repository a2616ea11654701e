"""Certificates of the twin's BMCs: a CA of its own and one certificate that names every BMC address.

In: the addresses. Out: files in a private folder. The client verifies them as it verifies a real site's.
"""

from __future__ import annotations

import datetime
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFE = datetime.timedelta(days=30)
"""Longer than any rehearsal; certificates are made anew at every start."""


@dataclass(frozen=True)
class Certificates:
    """Where the certificates are."""

    authority: Path
    """CA file for whoever connects."""
    chain: Path
    key: Path

    def server_context(self) -> ssl.SSLContext:
        """TLS settings of the server."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.chain, self.key)
        return context


def issue(folder: Path, addresses: Iterable[str]) -> Certificates:
    """Make a CA and a server certificate for `addresses` in `folder`; the CA's key is not kept."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    authority_key, server_key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "rackwright twin BMC CA")])
    authority = _authority(name, authority_key)
    server = _server(name, authority_key, server_key, addresses)
    files = Certificates(folder / "bmc-ca.pem", folder / "bmc.pem", folder / "bmc.key")
    files.authority.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    files.chain.write_bytes(server.public_bytes(serialization.Encoding.PEM))
    files.key.touch(mode=0o600)
    files.key.write_bytes(
        server_key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return files


def _authority(name: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    usage = x509.KeyUsage(
        digital_signature=True, key_cert_sign=True, crl_sign=True, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip
    builder = _builder(name, name, key.public_key())
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(usage, critical=True)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    return builder.sign(key, hashes.SHA256())


def _server(
    issuer: x509.Name,
    authority_key: ec.EllipticCurvePrivateKey,
    key: ec.EllipticCurvePrivateKey,
    addresses: Iterable[str],
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "rackwright twin BMC")])
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(one)) for one in sorted(set(addresses))])
    builder = _builder(issuer, subject, key.public_key()).add_extension(names, critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    issuer_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    return builder.add_extension(issuer_key, critical=False).sign(authority_key, hashes.SHA256())


def _builder(issuer: x509.Name, subject: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .issuer_name(issuer)
        .subject_name(subject)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + LIFE)
    )
