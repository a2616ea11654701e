"""One account of a simulated BMC, beside the one that the twin itself is reached with."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass


@dataclass(frozen=True)
class AccountState:
    """An account."""

    id: str
    user: str
    role: str
    digest: str = ""
    """Of its password."""
    enabled: bool = True

    def accepts(self, user: object, password: object) -> bool:
        """Whether it is enabled, and both are correct."""
        return self.enabled and user == self.user and hmac.compare_digest(password_digest(password), self.digest)


def password_digest(password: object) -> str:
    """What a BMC of the twin keeps of a password."""
    return hashlib.sha256(str(password).encode()).hexdigest()
