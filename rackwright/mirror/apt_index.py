"""Reads the text of Debian's indexes: ``Release`` and ``Packages``. It does not know where they come from.

The parsing of fields and relations, and the order of versions, are python-debian's (Debian policy 5.6.12, 7.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime
from urllib.parse import quote

from debian.deb822 import Deb822, PkgRelation, Release
from debian.debian_support import NativeVersion

from rackwright.mirror.package_offers import Listing, Need, Offer

NAME = re.compile(r"^Package: (\S+)", re.MULTILINE)
PROVIDES = re.compile(r"^Provides: (.*(?:\n .*)*)", re.MULTILINE)
NEEDED = ("Version", "Architecture", "Filename", "Size")
"""Fields that an entry needs to be fetched; an entry that lacks one is ignored."""
PATH_FIELDS = re.compile(r"^(?:Filename|MD5sum|SHA1|SHA512): .*\n", re.MULTILINE)


class ReleaseFile:
    """A ``Release`` file."""

    def __init__(self, text: str) -> None:
        self._fields = Release(text)
        self.files = {file["name"]: (file["sha256"], int(file["size"])) for file in self._fields.get("SHA256", [])}
        """SHA-256 and size of every file of the suite, by path."""
        self.by_hash = self._fields.get("Acquire-By-Hash", "no") == "yes"
        self.architectures = self._fields.get("Architectures", "").split()

    @property
    def valid_until(self) -> datetime | None:
        """Expiry of the index; None if it has none."""
        text = self._fields.get("Valid-Until")
        return parsedate_to_datetime(text) if text else None


def listing(upstream: str, text: str, offer: Callable[[str], Offer]) -> Listing:
    """The packages of a ``Packages`` file; `offer` parses one entry."""
    packages = Listing(upstream, offer)
    for entry in text.split("\n\n"):
        name = NAME.search(entry)
        if name and all(f"\n{field}: " in entry for field in NEEDED):
            provides = PROVIDES.search(entry)
            packages.add(
                name[1], entry.strip("\n") + "\n", re.findall(r"(?:^|,)\s*([^\s,(]+)", provides[1]) if provides else ()
            )
    return packages


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
        provides=tuple(need for group in _relations(fields.get("Provides", "")) for need in group),
        text=entry,
    )


def placed(entry: str, path: str) -> str:
    """The entry for a file at `path`, with no digest but SHA-256."""
    return PATH_FIELDS.sub("", entry.rstrip("\n") + "\n") + f"Filename: {path}\n"


def compare_versions(first: str, second: str) -> int:
    """Debian's order of versions: negative, zero or positive."""
    a, b = NativeVersion(first), NativeVersion(second)
    return (a > b) - (a < b)


def _relations(text: str) -> list[tuple[Need, ...]]:
    if not text.strip():
        return []
    return [
        tuple(Need(relation["name"], *(relation["version"] or ("", ""))) for relation in group)
        for group in PkgRelation.parse_relations(text)
    ]
