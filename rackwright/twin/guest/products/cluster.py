"""Talks to the API server of a Kubernetes cluster, as kubeadm and the kubelet do."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import ssl
from typing import Any

from . import parts

SECONDS = 10
STRATEGIC = "application/strategic-merge-patch+json"


class ApiRefusedError(Exception):
    """The API server refused, or did not answer."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


def ask(
    endpoint: str,
    method: str,
    path: str,
    trust: ssl.SSLContext,
    *,
    token: str = "",
    body: Any = None,
    content_type: str = "",
) -> Any:
    """The JSON that the server answers with."""
    headers = {"Accept": "application/json", "Content-Type": content_type or "application/json"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    connection = http.client.HTTPSConnection(endpoint, timeout=SECONDS, context=trust)
    try:
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        content = json.loads(answer.read())
    except ssl.SSLError as error:
        raise ApiRefusedError(f"tls: failed to verify certificate: {error.reason}") from None
    except OSError as error:
        raise ApiRefusedError(f"dial tcp {endpoint}: connect: {(error.strerror or str(error)).lower()}") from None
    finally:
        connection.close()
    if answer.status >= http.client.BAD_REQUEST:
        raise ApiRefusedError(str(content.get("message", answer.reason)), answer.status)
    return content


def anybody() -> ssl.SSLContext:
    """TLS without verification, for the first request: its answer is verified by its signature."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def of_authority(certificate: str, client: str = "") -> ssl.SSLContext:
    """TLS that trusts one CA; `client` is a file with the certificate and key of the client."""
    context = ssl.create_default_context(cadata=certificate)
    if client:
        context.load_cert_chain(client)
    return context


def signature(text: str, token: str) -> str:
    """Detached JWS of the cluster's information: HS256 with the secret of the token (bootstrap/util, kubernetes 1.34)."""
    name, secret = token.split(".")
    header = _plain_text(json.dumps({"alg": "HS256", "kid": name}, separators=(",", ":")).encode())
    signed = hmac.new(secret.encode(), f"{header}.{_plain_text(text.encode())}".encode(), hashlib.sha256).digest()
    return f"{header}..{_plain_text(signed)}"


def public_key_sha256(certificate: str) -> str:
    """SHA-256 of the public key of a certificate, by the commands of kubeadm's own documentation."""
    key = parts.output("openssl", "x509", "-pubkey", "-noout", data=certificate.encode())
    return hashlib.sha256(parts.output("openssl", "pkey", "-pubin", "-outform", "DER", data=key)).hexdigest()


def _plain_text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
