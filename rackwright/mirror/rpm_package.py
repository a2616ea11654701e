"""Checks the signature of an rpm package, for repositories with an unsigned index: header by signature, payload by digest.

Reads the lead, the signature header and the header (rpm, docs/manual/format_v4.md); gpgv judges the signature, so neither
rpm nor its database of keys is needed.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from pathlib import Path

from rackwright.mirror.signature import Ring, SignatureError, verify_detached

LEAD_BYTES = 96
LEAD = b"\xed\xab\xee\xdb"
MAGIC = b"\x8e\xad\xe8\x01"
SIGNATURES = (278, 268, 267)
"""Tags of signatures over the header: OpenPGP, RSA, DSA."""
PAYLOAD_DIGEST, PAYLOAD_ALGORITHM = 5092, 5093
SHA256 = 8
"""OpenPGP's number of the digest (RFC 9580, 9.5)."""
INTEGER, STRING_ARRAY = 4, 8
"""Types of header entries: 32 bits, and strings that end with zero."""
HEADER_LIMIT = 256 << 20
"""Largest header that rpm reads, bytes (rpm, lib/header.c: HEADERDATA_MAX)."""


def signer(path: Path, ring: Ring) -> str:
    """The fingerprint of the key that signed the package."""
    with path.open("rb") as stream:
        if stream.read(LEAD_BYTES)[:4] != LEAD:
            raise SignatureError("it is no rpm package")
        try:
            signatures, size = _header(stream.read)
            stream.read(-size % 8)
            start = stream.tell()
            tags, length = _header(stream.read)
            stream.seek(start)
            header = stream.read(length)
            payload_digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except struct.error as error:
            raise SignatureError("it is cut off in its header") from error
    signature = next((signatures[tag] for tag in SIGNATURES if tag in signatures), None)
    if signature is None:
        raise SignatureError("it carries no signature")
    fingerprint = verify_detached(header, signature, ring)
    if tags.get(PAYLOAD_ALGORITHM) != struct.pack(">I", SHA256) or tags.get(PAYLOAD_DIGEST) != payload_digest.encode():
        raise SignatureError("its payload is not the one that its signed header names")
    return fingerprint


def _header(read: object) -> tuple[Mapping[int, bytes], int]:
    """The entries of a header by tag, as raw bytes, and its length in bytes."""
    assert callable(read)
    start = read(16)
    magic, _, count, size = struct.unpack(">4s4sII", start)
    if magic != MAGIC or count * 16 + size > HEADER_LIMIT:
        raise SignatureError("it has no header that rpm would read")
    index, store = read(count * 16), read(size)
    if len(store) != size:
        raise SignatureError("it is cut off in its header")
    entries = {}
    for tag, kind, offset, number in struct.iter_unpack(">IIII", index):
        if kind == STRING_ARRAY:
            entries[tag] = store[offset:].split(b"\0", 1)[0]
        else:
            entries[tag] = store[offset : offset + (4 * number if kind == INTEGER else number)]
    return entries, 16 + count * 16 + size
