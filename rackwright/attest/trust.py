"""Keys that a verifier trusts: one key, or a file of keys with the period in which each signs, so that keys can be
rotated and revoked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from pydantic import Field

from rackwright.attest.keys import PublicKey, load_public
from rackwright.base import tables
from rackwright.base.errors import Problem, ProblemsError
from rackwright.base.tables import TableRow
from rackwright.model.base import Record


class TrustedKey(Record):
    """A row of a trust file."""

    key: str = Field(min_length=1)
    """Its public key: a PEM file, beside the trust file."""
    signer: str = Field(min_length=1)
    """The person or organisation that signs with it."""
    since: str = ""
    """First day on which it signs, ISO date; empty: no limit."""
    until: str = ""
    """Last day on which it signs, ISO date; empty: no limit."""
    revoked: str = ""
    """Why none of its signatures count; empty: it was not revoked."""


@dataclass(frozen=True)
class TrustedKeys:
    """Keys that a verifier trusts, each with its limits."""

    keys: tuple[tuple[PublicKey, TrustedKey], ...]

    def find(self, keyid: str) -> PublicKey | None:
        """The trusted key with the id of a signature; None if it is not trusted. Limits are judged by `refusal`."""
        return next((key for key, _row in self.keys if keyid in (key.fingerprint, key.older_key_id)), None)

    def refusal(self, key: PublicKey, signed: datetime) -> str:
        """Why a signature of `key` from the time `signed` does not count; empty if it does."""
        [row] = [row for candidate, row in self.keys if candidate == key]
        if row.revoked:
            return f"the key of {row.signer} was revoked: {row.revoked}"
        if row.since and signed.date() < date.fromisoformat(row.since):
            return f"the key of {row.signer} signs from {row.since} on, and this was signed on {signed.date()}"
        if row.until and signed.date() > date.fromisoformat(row.until):
            return f"the key of {row.signer} signed until {row.until}, and this was signed on {signed.date()}"
        return ""


def trust_in(key: PublicKey) -> TrustedKeys:
    """Trust in a single key, without limits."""
    return TrustedKeys(((key, TrustedKey(key="-", signer="the named key")),))


def load_trust(path: Path) -> TrustedKeys:
    """The trust file `path`. Raises ProblemsError for malformed rows, dates and keys, and for one key in two rows."""
    rows: list[TableRow[TrustedKey]] = tables.load_tables(path, {"keys": TrustedKey})["keys"]
    keys: list[tuple[PublicKey, TrustedKey]] = []
    problems: list[Problem] = []
    for row in rows:
        problems += [_problem(row, field, "is no date", "YYYY-MM-DD") for field in _malformed_dates(row.record)]
        try:
            key = load_public((path.parent / row.record.key).read_bytes(), row.record.key)
        except (OSError, ValueError) as error:
            problems.append(_problem(row, "key", f"cannot be used: {error}", "the PEM file of a public key"))
            continue
        if any(key == earlier for earlier, _row in keys):
            problems.append(_problem(row, "key", "stands in two rows", "one row for each key"))
        keys.append((key, row.record))
    if problems or not rows:
        raise ProblemsError(problems or [_empty_file_problem(path)])
    return TrustedKeys(tuple(keys))


def _malformed_dates(row: TrustedKey) -> list[str]:
    return [field for field in ("since", "until") if (text := getattr(row, field)) and not _is_date(text)]


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _problem(row: TableRow[TrustedKey], field: str, message: str, expected: str) -> Problem:
    value = getattr(row.record, field)
    return Problem(row.place, field, message, expected, value, "correct the row", "attest.trust")


def _empty_file_problem(path: Path) -> Problem:
    step = "add a row: key, signer, and since, until or revoked where they apply"
    return Problem(str(path), "keys", "names no key", "a key for each signer", "none", step, "attest.trust")
