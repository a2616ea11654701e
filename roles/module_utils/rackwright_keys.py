"""Keys of package sources that are declared by fingerprint: only these keys come to the host, whatever else the file at the address contains.

Entries have `url`, `path`, `fingerprints`. A package server must not vouch for itself, so the fingerprints come from the site.
"""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from ansible.module_utils import rackwright_fetch
from ansible.module_utils.rackwright_act import ActError
from ansible.module_utils.rackwright_files import put

ARMOR = re.compile(
    rb"-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n(?:[^\r\n]+: [^\r\n]*\r?\n)*\s*\n(.*?)\r?\n-----END PGP", re.DOTALL
)
CHECKSUM = re.compile(rb"^=[A-Za-z0-9+/]{4}\s*$", re.MULTILINE)
PUBLIC_KEY, VERSION = 6, 4
"""Tag of the packet that a key begins with, and the version of keys whose fingerprint is a SHA-1 (RFC 9580, 5.5 and 5.5.4.2)."""
CRC_START, CRC_POLYNOMIAL = 0xB704CE, 0x1864CFB
"""RFC 4880, 6.1; rpm takes no armor without its checksum."""
LINE = 64


def bring(act, entry):
    """Fetch the keys of one source, unless the file already holds exactly them."""
    path, accepted = Path(entry["path"]), set(entry["fingerprints"])
    present = keys(path.read_bytes()) if path.is_file() else {}
    if present and present.keys() <= accepted:
        return
    act.changed(str(path), "absent\n" if not present else "other keys\n", f"{entry['url']}\n")
    if act.check:
        return
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    try:
        rackwright_fetch.download(entry["url"], partial)
        offered = keys(partial.read_bytes())
    finally:
        partial.unlink(missing_ok=True)
    chosen = [content for fingerprint, content in offered.items() if fingerprint in accepted]
    if not chosen:
        raise ActError(
            f"{entry['url']} has {', '.join(offered) or 'no key'}, expected {', '.join(sorted(accepted))}; something else answers there, or the vendor has "
            "a new key: compare it with the vendor's documents, and give software.vendor_keys"
        )
    put(str(path), armored(b"".join(chosen)))


def keys(data):
    """Fingerprint -> packets of every key in `data`, armored or not; empty if it is no file of keys."""
    blocks = ARMOR.findall(data)
    try:
        content = b"".join(base64.b64decode(CHECKSUM.sub(b"", block)) for block in blocks) if blocks else data
        packets_of, fingerprint = {}, ""
        for tag, body, packet in _packets(content):
            if tag == PUBLIC_KEY:
                fingerprint = _fingerprint(body)
            if fingerprint:
                packets_of[fingerprint] = packets_of.get(fingerprint, b"") + packet
    except (IndexError, ValueError):
        return {}
    return packets_of


def armored(packets):
    """The text of a file of keys (RFC 4880, 6.2)."""
    text = base64.b64encode(packets).decode()
    lines = [text[at : at + LINE] for at in range(0, len(text), LINE)]
    checksum = base64.b64encode(_crc(packets).to_bytes(3, "big")).decode()
    return "\n".join(
        ["-----BEGIN PGP PUBLIC KEY BLOCK-----", "", *lines, f"={checksum}", "-----END PGP PUBLIC KEY BLOCK-----", ""]
    )


def _fingerprint(body):
    """Fingerprint in upper case; empty for a key version that is not used to sign packages."""
    return hashlib.sha1(b"\x99" + len(body).to_bytes(2, "big") + body).hexdigest().upper() if body[0] == VERSION else ""  # noqa: S324 - OpenPGP's


def _packets(data):
    """(tag, body, all bytes) of each packet (RFC 9580, 4.2). ValueError for malformed data."""
    at = 0
    while at < len(data):
        first, start = data[at], at
        if not first & 0x80:
            raise ValueError("no OpenPGP packet")
        tag, at, size = (_new if first & 0x40 else _old)(data, at)
        if at + size > len(data):
            raise ValueError("cut off")
        yield tag, data[at : at + size], data[start : at + size]
        at += size


def _old(data, at):
    octets = 1 << (data[at] & 3)
    if octets == 8:
        raise ValueError("a packet of unknown length")
    return data[at] >> 2 & 15, at + 1 + octets, int.from_bytes(data[at + 1 : at + 1 + octets], "big")


def _new(data, at):
    tag, first = data[at] & 63, data[at + 1]
    if first < 192:
        return tag, at + 2, first
    if first < 224:
        return tag, at + 3, (first - 192 << 8) + data[at + 2] + 192
    if first == 255:
        return tag, at + 6, int.from_bytes(data[at + 2 : at + 6], "big")
    raise ValueError("a packet of unknown length")


def _crc(data):
    value = CRC_START
    for octet in data:
        value ^= octet << 16
        for _ in range(8):
            value <<= 1
            if value & 0x1000000:
                value ^= CRC_POLYNOMIAL
    return value & 0xFFFFFF
