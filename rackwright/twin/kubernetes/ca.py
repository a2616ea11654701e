"""The CA of a twin's Kubernetes cluster: certificates of the API server, of kubelets, and of whoever administers it.

The CA's key stays in memory.
"""

from __future__ import annotations

import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from rackwright.twin.hosts.certificate_authority import Authority


class ClusterAuthority:
    """The CA of one cluster."""

    def __init__(self, folder: Path, address: str) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._authority = Authority("rackwright twin Kubernetes CA")
        self.certificate = self._authority.certificate
        self.file = folder / "ca.pem"
        self.file.write_bytes(self.certificate)
        certificate, key = self._authority.server("kube-apiserver", [address])
        self._server = folder / "server.pem"
        self._server.touch(mode=0o600)
        self._server.write_bytes(certificate + key)

    def server_context(self) -> ssl.SSLContext:
        """TLS settings of the API server: who has a certificate of this CA is known by it."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(self.file))
        context.load_cert_chain(self._server)
        context.verify_mode = ssl.CERT_OPTIONAL
        return context

    def sign(self, request: bytes) -> bytes:
        """The certificate of a kubelet, for its request (PEM)."""
        return self._authority.client(request)

    def identity(self, name: str, group: str) -> bytes:
        """Certificate and key (PEM) of a client that the cluster knows as `name` of `group`."""
        key = ec.generate_private_key(ec.SECP256R1())
        words = ((NameOID.ORGANIZATION_NAME, group), (NameOID.COMMON_NAME, name))
        subject = x509.Name([x509.NameAttribute(kind, word) for kind, word in words])
        request = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, hashes.SHA256())
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return self.sign(request.public_bytes(serialization.Encoding.PEM)) + private

    def kubelet_context(self) -> ssl.SSLContext:
        """TLS settings of the API server towards kubelets, whose certificates it does not check (kube-apiserver's default)."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        file = self._server.with_name("kubelet-client.pem")
        file.touch(mode=0o600)
        file.write_bytes(self.identity("kube-apiserver-kubelet-client", "system:masters"))
        context.load_cert_chain(file)
        return context
