"""Bearer tokens: who may query the server, until when, and whether a release may be requested.

A token is ``rackwright.NAME.SECRET`` with 256 random bits; the file holds only its SHA-256. A secret that cannot be
guessed needs no slow hash (OWASP Application Security Verification Standard 4.0.3, 2.9.2 and 3.5.2).
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError, UsageError
from rackwright.base.file_lock import take_lock
from rackwright.base.workspace import Workspace
from rackwright.model.base import Name, Record
from rackwright.model.times import IsoTime, parse_time, second_text

Scope = Literal["read", "release"]
"""``release`` includes ``read``."""
PREFIX = "rackwright"
SECRET_BYTES = 32
NOBODY = sha256(b"").hexdigest()
"""Compared with the token if its name is unknown, so that the answer takes as long."""


class Token(Record):
    """A token as it is stored."""

    name: Name
    scope: Scope
    sha256: str
    created: IsoTime
    expires: IsoTime


class StoredTokens(Record):
    """Content of the token file."""

    tokens: list[Token] = []


class TokenFile:
    """The tokens of a site; a change of the file takes effect with the next request."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int] | None = None
        self._tokens: Mapping[str, Token] = {}

    @classmethod
    def of(cls, workspace: Workspace) -> TokenFile:
        """The token file in the workspace of a site."""
        return cls(workspace.folder("serve") / "tokens.json")

    def tokens(self) -> Mapping[str, Token]:
        """All tokens by name; none without a file. OutsideError for a malformed file."""
        try:
            state = self.path.stat()
        except FileNotFoundError:
            return {}
        stamp = (state.st_mtime_ns, state.st_ino)
        if stamp != self._stamp:
            try:
                stored = StoredTokens.model_validate_json(self.path.read_bytes())
            except (OSError, ValidationError) as error:
                raise OutsideError(
                    f"{self.path} holds no tokens ({str(error).splitlines()[0]}): remove it, then add tokens again"
                ) from None
            self._tokens, self._stamp = {token.name: token for token in stored.tokens}, stamp
        return self._tokens

    def add(self, name: str, scope: Scope, days: int, now: datetime) -> str:
        """Store a new token and return it; it cannot be displayed again. UsageError if there is one of that name."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        text = f"{PREFIX}.{name}.{secret}"
        try:
            token = Token(
                name=name, scope=scope, sha256=_digest(text), created=second_text(now),
                expires=second_text(now + timedelta(days=days)),
            )  # fmt: skip
        except (ValidationError, OverflowError):
            raise UsageError(
                f"--name {name}, --days {days}: a token has a name of small letters, digits and hyphens, and ends within centuries"
            ) from None
        with self._changing() as tokens:
            if name in tokens and parse_time(tokens[name].expires) > now:
                raise UsageError(f"there is a token {name} already: revoke it first, or take another name")
            tokens[name] = token
        return text

    def revoke(self, name: str) -> None:
        """Remove a token. UsageError if there is no such token."""
        with self._changing() as tokens:
            if name not in tokens:
                raise UsageError(f"there is no token {name}; there are: {', '.join(tokens) or 'none'}")
            del tokens[name]

    def accepted(self, text: str, now: datetime) -> Token | None:
        """The stored token for `text`; None for a wrong, unknown or expired one."""
        prefix, _, rest = text.partition(".")
        token = self.tokens().get(rest.partition(".")[0]) if prefix == PREFIX else None
        same = hmac.compare_digest(_digest(text), token.sha256 if token else NOBODY)
        return token if token and same and now < parse_time(token.expires) else None

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Token]]:
        """The tokens, locked for changes by this process; stored if the block ends without an error."""
        lock = take_lock(self.path.with_suffix(".lock"), f"another process changes {self.path}: try again")
        try:
            tokens = dict(self.tokens())
            yield tokens
            stored = StoredTokens(tokens=list(tokens.values()))
            replace_file(self.path, json.dumps(stored.model_dump(), indent=1) + "\n", 0o600)
        finally:
            os.close(lock)


def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogateescape")).hexdigest()
