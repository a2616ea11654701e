"""The CA of a twin's Kubernetes cluster: the files of its API server and controllers, and whoever administers it.

All keys are in one folder, for its owner alone. A new cluster has new ones; that of a rehearsal that goes on has the keys that it had, so
that nodes which joined it, and kubeconfigs of it, still trust it and are trusted.
"""

from __future__ import annotations

from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from rackwright.twin.hosts.certificate_authority import Authority, pem

NAME = "rackwright twin Kubernetes CA"
ADMIN = "kubernetes-admin"
ADMINISTRATORS = "system:masters"


class ClusterAuthority:
    """The CA of one cluster."""

    def __init__(self, folder: Path, address: str, *, keep: bool = False) -> None:
        """`address`: where the API server listens; `keep`: reuse the keys of an earlier cluster if the folder has them."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder, self._keep = folder, keep
        self._authority = Authority.of_key(NAME, self._key("ca.key", Authority(NAME).private_key()))
        self.certificate = self._authority.certificate
        self.file = self._store("ca.pem", self.certificate)
        self.key = self._store("ca.key", self._authority.private_key())
        """Signs the certificates of kubelets."""
        self.server = self._store("server.pem", b"".join(self._authority.server("kube-apiserver", [address])))
        """Certificate and key of the API server."""
        self.kubelet_client = self._store(
            "kubelet-client.pem", self.identity("kube-apiserver-kubelet-client", ADMINISTRATORS)
        )
        """By which the API server reads logs from kubelets."""
        of_accounts = self._key("service-accounts.key", pem(ec.generate_private_key(ec.SECP256R1())))
        self.service_accounts = self._store("service-accounts.key", of_accounts)
        """Signs the tokens of service accounts."""

    def identity(self, name: str, group: str) -> bytes:
        """Certificate and key (PEM) of a client with the user name `name` in the group `group`."""
        key = ec.generate_private_key(ec.SECP256R1())
        words = ((NameOID.ORGANIZATION_NAME, group), (NameOID.COMMON_NAME, name))
        subject = x509.Name([x509.NameAttribute(kind, word) for kind, word in words])
        request = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, hashes.SHA256())
        return self._authority.client(request.public_bytes(serialization.Encoding.PEM)) + pem(key)

    def _key(self, name: str, fresh: bytes) -> bytes:
        """A private key of the earlier cluster, else the `fresh` one."""
        path = self._folder / name
        return path.read_bytes() if self._keep and path.is_file() else fresh

    def _store(self, name: str, content: bytes) -> Path:
        path = self._folder / name
        path.touch(mode=0o600)
        path.chmod(0o600)
        path.write_bytes(content)
        return path.resolve()
