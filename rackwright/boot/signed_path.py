"""Signed paths: each is good for one machine, one purpose, one attempt and a while. Only who has the key of the server can make one."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rackwright.base.durable_file import secret_file

Purpose = Literal["boot", "install", "home", "start", "files"]
"""``start`` and ``files`` are those of switches: what DHCP names, and what that leads to."""
KEY_BYTES = 32
SIGNATURE_BYTES = 16


@dataclass(frozen=True)
class Right:
    """What a signed path proves."""

    node: str
    purpose: Purpose
    attempt: int
    """Number of the installation that it belongs to."""
    expires: int
    """Seconds since the epoch."""


class PathSigner:
    """Signs and verifies with one key, which stays in its file: paths outlive a restart of the server."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def of_file(cls, path: Path) -> PathSigner:
        """The signer with the key in `path`, which is made if there is none and read by its owner alone."""
        return cls(secret_file(path, lambda: secrets.token_bytes(KEY_BYTES)))

    def sign(self, right: Right) -> str:
        """`right` as one part of a path."""
        return f"{_text(right)}.{self._signature(right)}"

    def verify(self, text: str, purpose: Purpose, now: float) -> Right | str:
        """The right that `text` proves; why it proves none, as a sentence."""
        try:
            node, signed_purpose, attempt, expires, signature = text.rsplit(".", 4)  # a host name may have dots
            right = Right(node, signed_purpose, int(attempt), int(expires))  # type: ignore[arg-type]
        except ValueError:
            return "it is no signed path"
        if not hmac.compare_digest(signature.encode(), self._signature(right).encode()):
            return "its signature is not that of this server"
        if right.purpose != purpose:
            return f"it is for another purpose ({right.purpose})"
        if now >= right.expires:
            return f"it has expired {now - right.expires:.0f} s ago"
        return right

    def _signature(self, right: Right) -> str:
        digest = hmac.new(self._key, _text(right).encode(), hashlib.sha256).digest()[:SIGNATURE_BYTES]
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _text(right: Right) -> str:
    return f"{right.node}.{right.purpose}.{right.attempt}.{right.expires}"
