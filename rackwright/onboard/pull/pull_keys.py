"""Keys of pull mode: the site signs orders with one, the server proves itself by another, and each node signs with its own."""

from __future__ import annotations

import datetime
import ssl
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from rackwright.base.durable_file import secret_file
from rackwright.base.errors import OutsideError
from rackwright.base.workspace import Workspace
from rackwright.install.node_keys import NodeKeys
from rackwright.onboard.pull import ssh_signature

NAMESPACE = "rackwright-pull"
"""What signatures are for: one that the same key has given for something else is refused (openssh-portable, PROTOCOL.sshsig)."""
NODE_NAMESPACE = "rackwright-pull-node"
"""The same of nodes."""
SIGNER = "site"
"""Name of the signer in the file that nodes verify with (ssh-keygen(1), ALLOWED SIGNERS)."""
FIRST = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
LAST = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)
"""Nodes know the certificate itself, and one that boots for the first time may not know the time: it holds for ever (RFC 5280, 4.1.2.5)."""


@dataclass(frozen=True)
class PullKeys:
    """The keys of one site."""

    signing: Ed25519PrivateKey
    certificate: Path
    """PEM, with its private key."""
    nodes: NodeKeys

    @classmethod
    def of_site(cls, workspace: Workspace) -> PullKeys:
        """The keys in ``secrets/`` of `workspace`, made on first use. OutsideError for a file that holds none."""
        folder = workspace.folder("secrets")
        key, tls = folder / "pull-signing.pem", folder / "pull-server.pem"
        secret_file(tls, _new_certificate)
        try:
            signing = load_pem_private_key(secret_file(key, _new_signing_key), None)
        except ValueError:
            signing = None
        if not isinstance(signing, Ed25519PrivateKey):
            raise OutsideError(f"{key} holds no key of pull mode: bring the site's back from its backup")
        return cls(signing, tls, NodeKeys.of_site(workspace))

    @property
    def allowed_signers(self) -> str:
        """The line by which a node knows the site."""
        public = self.signing.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
        return f'{SIGNER} namespaces="{NAMESPACE}" {public}\n'

    @property
    def server_certificate(self) -> str:
        """The certificate alone, as nodes get it."""
        return _certificate(self.certificate.read_bytes()).public_bytes(Encoding.PEM).decode()

    def is_from(self, node: str, path: str, body: bytes, signature: str) -> bool:
        """Whether `node` signed `body` for `path`; nobody did for a node that is not enrolled."""
        return ssh_signature.is_from(self.nodes.key(node), NODE_NAMESPACE, path.encode() + b"\n" + body, signature)

    def sign(self, message: bytes) -> str:
        """The signature of `message` as ``ssh-keygen -Y verify`` takes it."""
        return ssh_signature.armored(ssh_signature.sign(self.signing, NAMESPACE, message))

    def tls(self) -> ssl.SSLContext:
        """How the server proves itself."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        return context


def _new_signing_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _new_certificate() -> bytes:
    """Signed by itself: who has it knows the server, and trusts nobody else."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAMESPACE)])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(FIRST).not_valid_after(LAST)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM) + private


def _certificate(content: bytes) -> x509.Certificate:
    return x509.load_pem_x509_certificate(content)
