"""The certificate authority of a twin: signs server certificates for addresses, and client certificates for requests.

Clients verify these certificates as they verify those of a real site.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFE = datetime.timedelta(days=30)
"""Longer than any twin runs; certificates are issued again at every start."""
CA_LIFE = datetime.timedelta(days=3650)
"""As kubeadm makes them (kubernetes, cmd/kubeadm/app/constants, CACertificateValidityPeriod, v1.34)."""
EARLIER = datetime.timedelta(days=1)
"""Valid before now: the clock of a node may be behind until it is set."""


class Authority:
    """A certificate authority with a key of its own."""

    def __init__(self, common: str, key: ec.EllipticCurvePrivateKey | None = None) -> None:
        """`common`: the common name of the authority. `key`: one that it had before; whoever trusts a certificate of it trusts this one."""
        self._key = key or ec.generate_private_key(ec.SECP256R1())
        self._name = _name(common)
        usage = x509.KeyUsage(
            digital_signature=True, key_cert_sign=True, crl_sign=True, content_commitment=False, key_encipherment=False,
            data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
        )  # fmt: skip
        builder = self._builder(self._name, self._key.public_key(), ca=True).add_extension(usage, critical=True)
        builder = builder.add_extension(
            x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False
        )
        self.certificate = builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        """PEM."""

    @classmethod
    def of_key(cls, common: str, private_key: bytes) -> Self:
        """With a key (PEM) that `private_key` of an earlier one gave."""
        key = serialization.load_pem_private_key(private_key, None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return cls(common, key)

    def private_key(self) -> bytes:
        """Its key (PEM), for a program that signs in its name."""
        return pem(self._key)

    def server(self, common: str, addresses: Iterable[str], hosts: Iterable[str] = ()) -> tuple[bytes, bytes]:
        """Certificate and key of a server on `addresses`, and of those names in `hosts`."""
        key = ec.generate_private_key(ec.SECP256R1())
        alternatives: list[x509.GeneralName] = [
            x509.IPAddress(ip_address(address)) for address in sorted(set(addresses))
        ]
        names = x509.SubjectAlternativeName([*alternatives, *(x509.DNSName(host) for host in sorted(set(hosts)))])
        certificate = self._signed(_name(common), key.public_key(), ExtendedKeyUsageOID.SERVER_AUTH, names)
        return certificate, pem(key)

    def client(self, request: bytes) -> bytes:
        """The certificate of a client, for its request (PEM)."""
        signing_request = x509.load_pem_x509_csr(request)
        key = signing_request.public_key()
        assert isinstance(key, ec.EllipticCurvePublicKey)
        return self._signed(signing_request.subject, key, ExtendedKeyUsageOID.CLIENT_AUTH)

    def _signed(
        self,
        subject: x509.Name,
        key: ec.EllipticCurvePublicKey,
        usage: x509.ObjectIdentifier,
        names: x509.SubjectAlternativeName | None = None,
    ) -> bytes:
        builder = self._builder(subject, key, ca=False)
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        builder = builder.add_extension(names, critical=False) if names else builder
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        builder = builder.add_extension(issuer, critical=False)
        return builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    def _builder(self, subject: x509.Name, key: ec.EllipticCurvePublicKey, *, ca: bool) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(self._name).public_key(key)
        builder = builder.serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(now - EARLIER).not_valid_after(now + (CA_LIFE if ca else LIFE))
        return builder.add_extension(x509.BasicConstraints(ca=ca, path_length=0 if ca else None), critical=True)


def pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """A private key without a password."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])
