"""A private Sigstore instance: certificate authority, certificate log and signature log, answered over HTTP as the client of the package asks.

Certificates as Fulcio issues them (sigstore/fulcio: fulcio.proto, docs/oid-info.md, docs/certificate-specification.md; RFC 6962, section 3),
entries as Rekor answers them (sigstore/rekor: openapi.yaml, pkg/types/dsse/v0.0.1), trusted root and configuration as sigstore/protobuf-specs
defines them; all read on 2026-11-26. The log has one entry. A token is believed: the real authority asks its provider.
"""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import jwt
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

ISSUER = "https://login.example.com"
ISSUER_OID, ISSUER_V2_OID, SCT_OID = (
    x509.ObjectIdentifier(oid) for oid in ("1.3.6.1.4.1.57264.1.1", "1.3.6.1.4.1.57264.1.8", "1.3.6.1.4.1.11129.2.4.2")
)
CERTIFIED = timedelta(minutes=10)
SIGNS = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
CERTIFIES = x509.KeyUsage(False, False, False, False, False, True, True, False, False)


def identity_token(name: str) -> str:
    """Of `ISSUER`."""
    now = datetime.now(UTC)
    claims = {"iss": ISSUER, "sub": name, "aud": "sigstore", "iat": now, "exp": now + CERTIFIED}
    return jwt.encode(claims, "k" * 32, "HS256")


class SigstoreInstance:
    """Keys of an instance of its own."""

    def __init__(self) -> None:
        self._authority, self._certificates, self._log = (ec.generate_private_key(ec.SECP256R1()) for _ in range(3))
        self._root = self._signed(
            _builder(_named("authority"), self._authority.public_key(), timedelta(days=365))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(CERTIFIES, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._authority.public_key()), critical=False)
        )

    def trusted_root(self) -> dict[str, Any]:
        """What a verifier needs."""
        valid = {"start": "2020-01-01T00:00:00Z"}
        log, certificates = (
            {
                "baseUrl": "https://log.example.com",
                "hashAlgorithm": "SHA2_256",
                "publicKey": {
                    "rawBytes": _text(_der(key)),
                    "keyDetails": "PKIX_ECDSA_P256_SHA_256",
                    "validFor": valid,
                },
                "logId": {"keyId": _text(_key_id(key))},
            }
            for key in (self._log, self._certificates)
        )
        authority = {
            "subject": {"organization": "example.com", "commonName": "authority"},
            "uri": "https://authority.example.com",
            "certChain": {"certificates": [{"rawBytes": _text(self._root.public_bytes(Encoding.DER))}]},
            "validFor": valid,
        }
        kind = "application/vnd.dev.sigstore.trustedroot+json;version=0.1"
        return {
            "mediaType": kind,
            "tlogs": [log],
            "certificateAuthorities": [authority],
            "ctlogs": [certificates],
            "timestampAuthorities": [],
        }

    @contextmanager
    def served(self, folder: Path) -> Iterator[tuple[Path, Path]]:
        """Files of the trusted root and of the configuration for signers, while the instance answers."""
        instance = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                certifies = self.path == "/api/v2/signingCert"
                answer = instance._certify(sent, self.headers["Authorization"]) if certifies else instance._enter(sent)
                self.send_response(201)
                self.end_headers()
                self.wfile.write(json.dumps(answer).encode())

            def log_message(self, *_words: object) -> None:
                """Nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        root, config = folder / "trusted_root.json", folder / "config.json"
        root.write_text(json.dumps(self.trusted_root()))
        config.write_text(json.dumps(self._config(f"http://127.0.0.1:{server.server_port}")))
        try:
            yield root, config
        finally:
            server.shutdown()
            server.server_close()

    def _config(self, url: str) -> dict[str, Any]:
        service = [
            {"url": url, "majorApiVersion": 1, "operator": "example.com", "validFor": {"start": "2020-01-01T00:00:00Z"}}
        ]
        signing = {
            "mediaType": "application/vnd.dev.sigstore.signingconfig.v0.2+json",
            "caUrls": service,
            "oidcUrls": [],
            "rekorTlogUrls": service,
            "rekorTlogConfig": {"selector": "ANY"},
            "tsaUrls": [],
            "tsaConfig": {"selector": "ANY"},
        }
        kind = "application/vnd.dev.sigstore.clienttrustconfig.v0.1+json"
        return {"mediaType": kind, "trustedRoot": self.trusted_root(), "signingConfig": signing}

    def _certify(self, sent: dict[str, str], authorization: str) -> dict[str, Any]:
        """The certificate of the key of a request for the subject of its token."""
        request = x509.load_pem_x509_csr(base64.b64decode(sent["certificateSigningRequest"]))
        claims = jwt.decode(authorization.removeprefix("Bearer "), options={"verify_signature": False})
        certificate = self.certificate(request.public_key(), claims["sub"], claims["iss"])
        chain = [each.public_bytes(Encoding.PEM).decode() for each in (certificate, self._root)]
        return {"signedCertificateEmbeddedSct": {"chain": {"certificates": chain}}}

    def certificate(self, key: ec.EllipticCurvePublicKey, name: str, issuer: str) -> x509.Certificate:
        """Entered into the log of certificates."""
        builder = (
            _builder(x509.Name([]), key, CERTIFIED)
            .add_extension(SIGNS, critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._authority.public_key()), critical=False
            )
            .add_extension(x509.SubjectAlternativeName([x509.RFC822Name(name)]), critical=True)
            .add_extension(x509.UnrecognizedExtension(ISSUER_OID, issuer.encode()), critical=False)
            .add_extension(x509.UnrecognizedExtension(ISSUER_V2_OID, _string(0x0C, issuer.encode())), critical=False)
        )
        entered = _string(0x04, self._entered(self._signed(builder).tbs_certificate_bytes))
        return self._signed(builder.add_extension(x509.UnrecognizedExtension(SCT_OID, entered), critical=False))

    def _entered(self, certificate: bytes) -> bytes:
        """The list of the one time stamp of the log of certificates (RFC 6962, sections 3.2 and 3.3)."""
        moment = int(datetime.now(UTC).timestamp() * 1000)
        issuer, size = _key_id(self._authority), len(certificate).to_bytes(3, "big")
        stated = struct.pack("!BBQH", 0, 0, moment, 1) + issuer + size + certificate + struct.pack("!H", 0)
        signature = self._certificates.sign(stated, ec.ECDSA(SHA256()))
        stamp = struct.pack("!B32sQHBBH", 0, _key_id(self._certificates), moment, 0, 4, 3, len(signature)) + signature
        return struct.pack("!HH", len(stamp) + 2, len(stamp)) + stamp

    def _enter(self, sent: dict[str, Any]) -> dict[str, Any]:
        """The entry of an envelope in the log."""
        proposed = sent["spec"]["proposedContent"]
        envelope = json.loads(proposed["envelope"])
        body = {
            "apiVersion": "0.0.1",
            "kind": "dsse",
            "spec": {
                "envelopeHash": _hash(proposed["envelope"].encode()),
                "payloadHash": _hash(base64.b64decode(envelope["payload"])),
                "signatures": [
                    {"signature": signature["sig"], "verifier": verifier}
                    for signature, verifier in zip(envelope["signatures"], proposed["verifiers"], strict=True)
                ],
            },
        }
        return {"entry": self._answer(json.dumps(body).encode())}

    def _answer(self, body: bytes) -> dict[str, Any]:
        entry = {
            "body": _text(body),
            "integratedTime": int(datetime.now(UTC).timestamp()),
            "logID": _key_id(self._log).hex(),
            "logIndex": 0,
        }
        promise = self._sign(json.dumps(entry, sort_keys=True, separators=(",", ":")).encode())
        top = hashlib.sha256(b"\0" + body).digest()
        note = f"log.example.com\n1\n{_text(top)}\n"
        signed = _text(_key_id(self._log)[:4] + self._sign(note.encode()))
        proof = {
            "logIndex": 0,
            "treeSize": 1,
            "rootHash": top.hex(),
            "hashes": [],
            "checkpoint": f"{note}\n\u2014 log.example.com {signed}\n",
        }
        return {**entry, "verification": {"signedEntryTimestamp": _text(promise), "inclusionProof": proof}}

    def _sign(self, content: bytes) -> bytes:
        return self._log.sign(content, ec.ECDSA(SHA256()))

    def _signed(self, builder: x509.CertificateBuilder) -> x509.Certificate:
        return builder.issuer_name(_named("authority")).sign(self._authority, SHA256())


def _builder(name: x509.Name, key: ec.EllipticCurvePublicKey, valid: timedelta) -> x509.CertificateBuilder:
    begin = datetime.now(UTC) - timedelta(minutes=1)
    builder = x509.CertificateBuilder().subject_name(name).public_key(key).serial_number(7)
    return builder.not_valid_before(begin).not_valid_after(begin + valid)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _der(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _key_id(key: ec.EllipticCurvePrivateKey) -> bytes:
    return hashlib.sha256(_der(key)).digest()


def _string(tag: int, content: bytes) -> bytes:
    """A string in DER."""
    size = bytes([len(content)]) if len(content) < 0x80 else bytes([0x82, *len(content).to_bytes(2, "big")])
    if 0x80 <= len(content) < 0x100:
        size = bytes([0x81, len(content)])
    return bytes([tag]) + size + content


def _hash(content: bytes) -> dict[str, str]:
    return {"algorithm": "sha256", "value": hashlib.sha256(content).hexdigest()}


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
