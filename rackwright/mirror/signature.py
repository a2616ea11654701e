"""Checks that an index is signed by an accepted key that is neither expired nor revoked. The status lines of gpgv decide.

The exit status of gpgv is 0 even for a key that has expired (GnuPG, doc/DETAILS).
"""

from __future__ import annotations

import base64
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rackwright.mirror.programs import run_program

ARMOR = re.compile(
    rb"-----BEGIN PGP [A-Z ]+-----\r?\n(?:[^\r\n]+: [^\r\n]*\r?\n)*\r?\n(.*?)\r?\n-----END PGP", re.DOTALL
)
CHECKSUM = re.compile(rb"^=[A-Za-z0-9+/]{4}\s*$", re.MULTILINE)


class SignatureError(Exception):
    """A signature that is missing or not valid; the text says why."""


@dataclass(frozen=True)
class Ring:
    """Public keys as gpgv reads them, and the primary fingerprints that may sign; none means any key of the ring."""

    keys: bytes
    fingerprints: frozenset[str] = frozenset()


def binary(keys: bytes) -> bytes:
    """Keys without their ASCII armor, however many blocks there are."""
    blocks = ARMOR.findall(keys)
    return b"".join(base64.b64decode(CHECKSUM.sub(b"", block)) for block in blocks) if blocks else keys


def read_clearsigned(data: bytes, ring: Ring) -> tuple[bytes, str]:
    """The text inside a clear-signed message (``InRelease``) and the fingerprint of its key."""
    with _files(ring, data=data) as (keyring, folder):
        text = folder / "text"
        result = run_program(
            ["gpgv", "--status-fd", "1", "--keyring", str(keyring), "--output", str(text), str(folder / "data")]
        )
        signer = _signer(result.stdout.decode(errors="replace"), ring)
        return text.read_bytes(), signer


def verify_detached(data: bytes, signature: bytes, ring: Ring) -> str:
    """The fingerprint of the key whose `signature` (armored or not) covers `data`."""
    with _files(ring, data=data, signature=signature) as (keyring, folder):
        files = [str(folder / "signature"), str(folder / "data")]
        result = run_program(["gpgv", "--status-fd", "1", "--keyring", str(keyring), *files])
        return _signer(result.stdout.decode(errors="replace"), ring)


class _files:  # noqa: N801 - a context manager that reads like a function
    """The inputs of a check as temporary files."""

    def __init__(self, ring: Ring, **data: bytes) -> None:
        self._contents = {"keys.gpg": binary(ring.keys), **data}
        self._folder = tempfile.TemporaryDirectory(prefix="rackwright-sig-")

    def __enter__(self) -> tuple[Path, Path]:
        folder = Path(self._folder.name)
        for name, content in self._contents.items():
            (folder / name).write_bytes(content)
        return folder / "keys.gpg", folder

    def __exit__(self, *_error: object) -> None:
        self._folder.cleanup()


def _signer(status: str, ring: Ring) -> str:
    """The signer of the first valid signature; SignatureError with what is wrong with each if there is none."""
    reasons = []
    for verdict, words, expired in _signatures(status):
        signer = words.get("VALIDSIG", "").split(" ")[-1]
        accepted = not ring.fingerprints or signer in ring.fingerprints
        if verdict == "GOODSIG" and signer and accepted:
            return signer
        reasons.append(_reason(verdict, words.get(verdict, ""), signer, expired))
    raise SignatureError("; ".join(dict.fromkeys(reasons)) or "it carries no signature")


def _signatures(status: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """(verdict, lines, time since when the key is expired) of every signature in a status report."""
    lines = [line.removeprefix("[GNUPG:] ") for line in status.splitlines() if line.startswith("[GNUPG:] ")]
    for part in "\n".join(lines).split("NEWSIG")[1:]:
        words = dict((line + " ").split(" ", 1) for line in part.splitlines()[1:])
        words = {key: value.strip() for key, value in words.items()}
        verdicts = ("GOODSIG", "EXPKEYSIG", "REVKEYSIG", "EXPSIG", "BADSIG", "NO_PUBKEY", "ERRSIG")
        yield next((verdict for verdict in verdicts if verdict in words), "none"), words, words.get("KEYEXPIRED", "")


def _reason(verdict: str, line: str, signer: str, expired: str) -> str:
    who = line.split(" ", 1)[0]
    if verdict == "GOODSIG":
        return f"it is signed by {signer or who}, which is not a key that is accepted for it"
    if verdict == "EXPKEYSIG":
        when = f" on {datetime.fromtimestamp(int(expired), UTC):%Y-%m-%d}" if expired.isdigit() else ""
        return f"its key {signer or who} expired{when}"
    sentences = {
        "REVKEYSIG": f"its key {signer or who} was revoked",
        "EXPSIG": f"the signature by {signer or who} has expired",
        "BADSIG": f"the signature by {who} does not match: the content was changed or damaged",
        "NO_PUBKEY": f"it is signed by {who}, whose key was not given",
    }
    return sentences.get(verdict, f"the signature by {who or 'an unknown key'} cannot be checked")
