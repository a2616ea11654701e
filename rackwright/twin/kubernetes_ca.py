"""The CA of a twin's Kubernetes cluster: certificates of the API server and of kubelets.

In: a folder and the address of the server. Out: ``ca.pem`` in the folder, signed requests. The CA's key stays in memory.
"""

from __future__ import annotations

import ssl
from pathlib import Path

from rackwright.twin.authority import Authority


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
