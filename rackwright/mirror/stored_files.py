"""What the mirror has already: its lock, the files that are still there, and its own indexes as listings."""

from __future__ import annotations

import dataclasses
import lzma
import zlib
from dataclasses import dataclass
from functools import cached_property

from rackwright.mirror import apt_index, lock, rpm_index
from rackwright.mirror.layout import Layout
from rackwright.mirror.lock import Lock
from rackwright.mirror.offers import Listing, Offer
from rackwright.mirror.repository import RPM_ARCHITECTURES
from rackwright.mirror.requested import Group
from rackwright.model.artifact import Artifact


def is_rpm(os: str) -> bool:
    """Whether an operating system installs rpm packages."""
    return os.startswith(("rhel", "rocky"))


def rpm_folder(os: str, architecture: str) -> str:
    """Folder of an rpm repository below the mirror."""
    return f"rpm/{os}/{RPM_ARCHITECTURES[architecture]}"


@dataclass(frozen=True)
class Kept:
    """The mirror as it is."""

    layout: Layout

    @cached_property
    def lock(self) -> Lock:
        """The lock; an empty one for a mirror that is new."""
        return lock.read(self.layout.root) or Lock()

    def has(self, artifact: Artifact) -> bool:
        """Whether the file is there, in its full length, as the lock knows it."""
        known = self._by_path.get(artifact.path)
        return known is not None and known.sha256 == artifact.sha256 and self.there(known)

    def there(self, artifact: Artifact) -> bool:
        """Whether the file is there in its full length."""
        path = self.layout.root / artifact.path
        return path.is_file() and path.stat().st_size == artifact.size

    def line(self, path: str) -> Artifact | None:
        """The line of the lock for `path`, whether or not the file is there."""
        return self._by_path.get(path)

    def known(self, path: str) -> Artifact | None:
        """The line of the lock for `path`, when the file is there."""
        found = self._by_path.get(path)
        return found if found is not None and self.there(found) else None

    def listing(self, group: Group, *, fresh: bool) -> Listing:
        """The packages of a group's index that are there; `fresh` prefers them to what upstreams have."""
        if is_rpm(group.os):
            return self._rpm(group, fresh)
        path = self.layout.packages(group.os, group.architecture) / "Packages"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        listing = apt_index.listing("mirror", text, lambda entry: self._own(apt_index.parse(entry, ""), "", fresh))
        return self._present(listing)

    def modules(self, os: str, architecture: str) -> str:
        """The module streams that an rpm repository of the mirror has."""
        return self._text(rpm_folder(os, architecture), "modules")

    def _rpm(self, group: Group, fresh: bool) -> Listing:
        folder = rpm_folder(group.os, group.architecture)
        words = RPM_ARCHITECTURES[group.architecture]
        own = lambda entry: self._own(rpm_index.parse(entry, ""), f"{folder}/", fresh)  # noqa: E731 - two uses, one line
        listing = self._present(rpm_index.listing("mirror", self._text(folder, "primary"), words, own))
        listing.modules = self.modules(group.os, group.architecture)
        return listing

    def _text(self, folder: str, kind: str) -> str:
        root = self.layout.root / folder
        summary = root / "repodata" / "repomd.xml"
        try:
            part = rpm_index.parts(summary.read_bytes()).get(kind)
            return rpm_index.unpack(part.path, (root / part.path).read_bytes()) if part else ""
        except (OSError, ValueError, EOFError, zlib.error, lzma.LZMAError):
            return ""  # not there or damaged, which is the same to a sync: it is made again

    def _own(self, offer: Offer, folder: str, fresh: bool) -> Offer:
        path = folder + offer.place
        line = self._by_path.get(path)
        if line is None:
            return dataclasses.replace(offer, url=path)
        return dataclasses.replace(
            offer, url=line.url, upstream=line.upstream, fingerprint=line.fingerprint, kept=fresh, path=path
        )

    def _present(self, listing: Listing) -> Listing:
        """Without the packages whose file is gone; of a damaged index nothing."""
        try:
            gone = {one.name for one in listing.all if self.known(one.path) is None}
        except (KeyError, ValueError):
            listing.drop(lambda _name: True)
            return listing
        listing.drop(lambda name: name in gone)
        return listing

    @cached_property
    def _by_path(self) -> dict[str, Artifact]:
        return self.lock.by_path
