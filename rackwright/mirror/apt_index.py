"""Reads the text of Debian's indexes: ``Release`` and ``Packages``. Knows their fields and nothing of where they come from.

The parsing of fields and relations, and the order of versions, are python-debian's (Debian policy 5.6.12, 7.1).
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime
from urllib.parse import quote

from debian.deb822 import Deb822, PkgRelation, Release
from debian.debian_support import NativeVersion

from rackwright.mirror.offers import Listing, Need, Offer

UNPACK: dict[str, Callable[[bytes], bytes]] = {
    ".xz": lzma.decompress,
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    "": bytes,
}
"""How an index is packed, by its ending, best first."""
NAME = re.compile(r"^Package: (\S+)", re.MULTILINE)
PROVIDES = re.compile(r"^Provides: (.*(?:\n .*)*)", re.MULTILINE)
NEEDED = ("Version", "Architecture", "Filename", "Size")
"""Fields without which an entry cannot be fetched; an entry that lacks one is as good as not there."""
PATH_FIELDS = re.compile(r"^(?:Filename|MD5sum|SHA1|SHA512): .*\n", re.MULTILINE)


class Index:
    """A ``Release`` file."""

    def __init__(self, text: str) -> None:
        self._fields = Release(text)
        self.files = {one["name"]: (one["sha256"], int(one["size"])) for one in self._fields.get("SHA256", [])}
        """SHA-256 and size of every file of the suite, by path."""
        self.by_hash = self._fields.get("Acquire-By-Hash", "no") == "yes"
        self.architectures = self._fields.get("Architectures", "").split()

    @property
    def valid_until(self) -> datetime | None:
        """After when the index must not be believed any more; None when it does not say."""
        said = self._fields.get("Valid-Until")
        return parsedate_to_datetime(said) if said else None


def listing(upstream: str, text: str, offer: Callable[[str], Offer]) -> Listing:
    """The packages of a ``Packages`` file; `offer` makes one of an entry."""
    found = Listing(upstream, offer)
    for entry in text.split("\n\n"):
        name = NAME.search(entry)
        if name and all(f"\n{one}: " in entry for one in NEEDED):
            said = PROVIDES.search(entry)
            found.add(name[1], entry.strip("\n") + "\n", re.findall(r"(?:^|,)\s*([^\s,(]+)", said[1]) if said else ())
    return found


def parse(entry: str, base: str) -> Offer:
    """One entry of ``Packages``; `base` is the URL that its file name continues."""
    fields = Deb822(entry)
    groups = [group for key in ("Pre-Depends", "Depends") for group in _relations(fields.get(key, ""))]
    return Offer(
        name=fields["Package"],
        version=fields["Version"],
        architecture=fields["Architecture"],
        url=f"{base.rstrip('/')}/{quote(fields['Filename'].removeprefix('./'), safe='/:~')}",
        size=int(fields["Size"]),
        sha256=fields.get("SHA256", "").lower(),
        needs=tuple(groups),
        provides=tuple(one for group in _relations(fields.get("Provides", "")) for one in group),
        text=entry,
    )


def placed(entry: str, path: str) -> str:
    """The entry for a file at `path`, with no digest but SHA-256."""
    return PATH_FIELDS.sub("", entry.rstrip("\n") + "\n") + f"Filename: {path}\n"


def compare(left: str, right: str) -> int:
    """Debian's order of versions: negative, zero or positive."""
    a, b = NativeVersion(left), NativeVersion(right)
    return (a > b) - (a < b)


def _relations(text: str) -> list[tuple[Need, ...]]:
    if not text.strip():
        return []
    return [
        tuple(Need(one["name"], *(one["version"] or ("", ""))) for one in group)
        for group in PkgRelation.parse_relations(text)
    ]
