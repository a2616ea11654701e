"""Keys of pull mode: the site signs orders with one, the server proves itself by another, and each node signs with a token of its name."""

from __future__ import annotations

import base64
import datetime
import hashlib
import hmac
import secrets
import ssl
from contextlib import suppress
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

from rackwright.base.durable_file import create_file
from rackwright.base.errors import OutsideError
from rackwright.base.workspace import Workspace

NAMESPACE = "rackwright-pull"
"""What signatures are for: one that the same key has given for something else is refused (openssh-portable, PROTOCOL.sshsig)."""
SIGNER = "site"
"""Name of the signer in the file that nodes verify with (ssh-keygen(1), ALLOWED SIGNERS)."""
MAGIC, HASH = b"SSHSIG", b"sha512"
ARMOR = 70
"""Characters per line of a signature, as ssh-keygen writes it."""
TOKEN_BYTES = 32
FIRST = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
LAST = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)
"""Nodes know the certificate itself, and one that boots for the first time may not know the time: it holds for ever (RFC 5280, 4.1.2.5)."""


@dataclass(frozen=True)
class PullKeys:
    """The keys of one site."""

    signing: Ed25519PrivateKey
    root: bytes
    """Tokens of nodes come of it."""
    certificate: Path
    """PEM, with its private key."""

    @classmethod
    def of_site(cls, workspace: Workspace) -> PullKeys:
        """The keys in ``secrets/`` of `workspace`, made on first use. OutsideError for a file that holds none."""
        folder = workspace.folder("secrets")
        key, root, tls = (folder / name for name in ("pull-signing.pem", "pull-tokens.key", "pull-server.pem"))
        fresh = {key: _new_signing_key, root: lambda: secrets.token_bytes(TOKEN_BYTES), tls: _new_certificate}
        for path, new in fresh.items():
            if not path.exists():
                with suppress(FileExistsError):
                    create_file(path, new(), 0o600)
        try:
            signing = load_pem_private_key(key.read_bytes(), None)
        except ValueError:
            signing = None
        if not isinstance(signing, Ed25519PrivateKey) or len(root.read_bytes()) < TOKEN_BYTES:
            raise OutsideError(f"{key} or {root} holds no key of pull mode: bring the site's back from its backup")
        return cls(signing, root.read_bytes(), tls)

    @property
    def allowed_signers(self) -> str:
        """The line by which a node knows the site."""
        public = self.signing.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
        return f'{SIGNER} namespaces="{NAMESPACE}" {public}\n'

    @property
    def server_certificate(self) -> str:
        """The certificate alone, as nodes get it."""
        return _certificate(self.certificate.read_bytes()).public_bytes(Encoding.PEM).decode()

    def token(self, node: str) -> str:
        """What `node` signs with; nobody else has it but this site."""
        return hmac.new(self.root, f"pull {node}".encode(), hashlib.sha256).hexdigest()

    def is_from(self, node: str, path: str, body: bytes, signature: str) -> bool:
        """Whether `node` signed `body` for `path`."""
        expected = hmac.new(self.token(node).encode(), path.encode() + b"\n" + body, hashlib.sha256).hexdigest()
        return hmac.compare_digest(signature.encode(), expected.encode())

    def sign(self, message: bytes) -> str:
        """The signature of `message` as ``ssh-keygen -Y verify`` takes it (openssh-portable, PROTOCOL.sshsig)."""
        tail = _strings(b"", HASH)
        signed = MAGIC + _strings(NAMESPACE.encode()) + tail + _strings(hashlib.sha512(message).digest())
        raw = self.signing.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        public, signature = (_strings(b"ssh-ed25519", part) for part in (raw, self.signing.sign(signed)))
        blob = MAGIC + (1).to_bytes(4, "big") + _strings(public, NAMESPACE.encode()) + tail + _strings(signature)
        text = base64.b64encode(blob).decode()
        lines = [text[start : start + ARMOR] for start in range(0, len(text), ARMOR)]
        return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])

    def tls(self) -> ssl.SSLContext:
        """How the server proves itself."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        return context


def _strings(*parts: bytes) -> bytes:
    """Strings of RFC 4251, 5."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


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
