"""Handovers signed with a Sigstore identity instead of a key, by the optional package ``sigstore``.

A certificate authority (Fulcio) certifies for ten minutes that a key belongs to a person or a service, as confirmed by
an identity provider, and a public log (Rekor) records the signature. Envelope, certificate and proofs of the log are
one Sigstore bundle (sigstore/protobuf-specs, sigstore_bundle.proto v0.3), which is verified without a network.
"""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from securesystemslib.dsse import Envelope

from rackwright.attest import certificate
from rackwright.attest.envelope import PAYLOAD_TYPE
from rackwright.base.errors import OutsideError, UsageError

if TYPE_CHECKING:
    from sigstore.models import ClientTrustConfig
    from sigstore.oidc import IdentityToken
    from sigstore.verify import Verifier

IDENTITY_ENVELOPE = "attestation.sigstore.json"
Parsed = TypeVar("Parsed")
PACKAGE = "a Sigstore identity needs the Python package sigstore: `pip install 'rackwright[sigstore]'`"


@dataclass(frozen=True)
class TrustedIdentity:
    """The required signer and identity provider."""

    name: str
    """Name in the certificate: the mail address of a person, or the URI of a job or a service."""
    issuer: str
    """URL of the identity provider."""
    root: Path | None = None
    """A trusted root (trusted_root.json) with the accepted certificates and log; None: the public instance, from the
    package.
    """

    def open(self, content: bytes) -> bytes:
        """The payload that this identity signed, in the Sigstore bundle `content`. Raises ValueError with a sentence if it did not, UsageError for the root."""
        with _package():
            from sigstore.models import Bundle
            from sigstore.verify.policy import Identity
        verifier = _verifier(self.root)
        try:
            bundle = Bundle.from_json(content)
            kind, payload = verifier.verify_dsse(bundle, Identity(identity=self.name, issuer=self.issuer))
        except Exception as error:  # a stranger's bundle may raise any exception in the package
            raise ValueError(f"the Sigstore bundle does not hold: {_first_line(error)}") from error
        if kind != PAYLOAD_TYPE:
            raise ValueError("the Sigstore bundle holds no in-toto statement")
        if bundle.to_json().encode() != content:
            raise ValueError("the Sigstore bundle is not written as rackwright writes it: it was changed")
        return bytes(payload)


@dataclass(frozen=True)
class IdentitySigner:
    """Signs with the identity in a token of an identity provider."""

    token: str
    config: Path | None = None
    """Client trust configuration (ClientTrustConfig) of a private instance; None: the public one, over the internet."""

    def seal(self, payload: bytes) -> bytes:
        """The Sigstore bundle of an in-toto statement. Raises UsageError for the token and the configuration, OutsideError if the instance does not sign."""
        with _package():
            from sigstore.dsse import Statement
            from sigstore.sign import SigningContext
        token, config = self._identity(), self._trust_config()
        try:
            with SigningContext.from_trust_config(config).signer(token) as signer:
                return bytes(signer.sign_dsse(Statement(payload)).to_json().encode())
        except Exception as error:  # of the network, of the authority or of the log
            raise OutsideError(f"the Sigstore instance did not sign: {_first_line(error)}") from error

    def _identity(self) -> IdentityToken:
        from sigstore.oidc import IdentityError, IdentityToken

        try:
            return IdentityToken(self.token)
        except IdentityError as error:
            raise UsageError(f"the identity token cannot be used: {error}") from None

    def _trust_config(self) -> ClientTrustConfig:
        from sigstore.models import ClientTrustConfig

        if self.config is not None:
            return _read(self.config, lambda content: ClientTrustConfig.from_json(content.decode()))
        try:
            return ClientTrustConfig.production()
        except Exception as error:
            raise OutsideError(f"the public Sigstore instance cannot be asked for its keys: {error}") from error


def own_payload(content: bytes) -> tuple[str, bytes]:
    """(signer by the certificate in a Sigstore bundle, payload), if bundle and signature match, whoever the signer is.

    Raises ValueError with a sentence if they do not. It needs no package.
    """
    try:
        data: Any = json.loads(content)
        envelope = Envelope.from_dict(data["dsseEnvelope"] | {"signatures": []})
        [signature] = data["dsseEnvelope"]["signatures"]
        signer = certificate.read(data["verificationMaterial"]["certificate"]["rawBytes"])
        fits = signer.signed(envelope.pae(), base64.b64decode(signature["sig"], validate=True))
    except Exception as error:
        raise ValueError("the attestation is no Sigstore bundle of a statement") from error
    if envelope.payload_type != PAYLOAD_TYPE or not fits:
        raise ValueError("the signature is not from the certificate beside it")
    return signer.text, bytes(envelope.payload)


def ambient_token() -> str:
    """The identity token that this machine offers, such as that of a job of GitHub or GitLab; empty without one.

    OutsideError if it cannot be obtained.
    """
    with _package():
        from sigstore.oidc import detect_credential
    try:
        return str(detect_credential() or "")
    except Exception as error:
        raise OutsideError(f"the identity token of this machine cannot be had: {error}") from error


def _verifier(root: Path | None) -> Verifier:
    from sigstore.errors import Error
    from sigstore.models import ClientTrustConfig, TrustedRoot
    from sigstore.verify import Verifier

    if root is not None:
        return _read(root, lambda _content: Verifier(trusted_root=TrustedRoot.from_file(str(root))))
    logging.getLogger("sigstore").setLevel(logging.ERROR)  # it warns that nothing is downloaded, which is intended
    try:
        return Verifier(trusted_root=ClientTrustConfig.production(offline=True).trusted_root)
    except (OSError, ValueError, Error) as error:
        raise UsageError(f"the trusted root of the public instance cannot be used: {_first_line(error)}") from None


def _read(path: Path, parse: Callable[[bytes], Parsed]) -> Parsed:
    from sigstore.errors import Error

    try:
        return parse(path.read_bytes())
    except (OSError, ValueError, Error) as error:
        raise UsageError(f"{path} cannot be used: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


@contextmanager
def _package() -> Iterator[None]:
    try:
        yield
    except ImportError:
        raise UsageError(PACKAGE) from None
