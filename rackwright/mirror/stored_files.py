"""The present content of a mirror: its lock, its files, and its indexes as listings."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property

from rackwright.mirror import apt_index, lock, rpm_index, unpack
from rackwright.mirror.install_groups import InstallGroup
from rackwright.mirror.layout import MirrorLayout, rpm_folder
from rackwright.mirror.lock import MirrorLock
from rackwright.mirror.package_offers import Listing, Offer
from rackwright.model.artifact import MACHINES, Architecture, Artifact
from rackwright.model.software import RPM_SYSTEMS


def is_rpm(os: str) -> bool:
    """Whether an operating system installs rpm packages."""
    return os in RPM_SYSTEMS


@dataclass(frozen=True)
class StoredFiles:
    """The files of one mirror."""

    layout: MirrorLayout

    @cached_property
    def lock(self) -> MirrorLock:
        """The lock; an empty one for a mirror that is new."""
        return lock.read_lock(self.layout.root) or MirrorLock()

    def has(self, artifact: Artifact) -> bool:
        """Whether the file is there in its full length, and the lock lists it with this digest."""
        line = self._by_path.get(artifact.path)
        return line is not None and line.sha256 == artifact.sha256 and self.is_complete(line)

    def is_complete(self, artifact: Artifact) -> bool:
        """Whether the file is there in its full length."""
        path = self.layout.root / artifact.path
        return path.is_file() and path.stat().st_size == artifact.size

    def line(self, path: str) -> Artifact | None:
        """The line of the lock for `path`, whether or not the file is there."""
        return self._by_path.get(path)

    def present(self, path: str) -> Artifact | None:
        """The line of the lock for `path`, when the file is there."""
        line = self._by_path.get(path)
        return line if line is not None and self.is_complete(line) else None

    def listing(self, group: InstallGroup, *, preferred: bool) -> Listing:
        """The packages in a group's index whose files are present; with `preferred` they take precedence over those of upstreams."""
        if is_rpm(group.os):
            return self._rpm(group, preferred)
        path = self.layout.packages(group.os, group.architecture) / "Packages"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        listing = apt_index.listing(
            "mirror", text, lambda entry: self._offer_of(apt_index.parse(entry, ""), "", preferred)
        )
        return self._present(listing)

    def modules(self, os: str, architecture: Architecture) -> str:
        """The module streams that an rpm repository of the mirror has."""
        return self._text(rpm_folder(os, architecture), "modules")

    def _rpm(self, group: InstallGroup, preferred: bool) -> Listing:
        folder = rpm_folder(group.os, group.architecture)
        words = MACHINES[group.architecture]
        offer_of = lambda entry: self._offer_of(rpm_index.parse(entry, ""), f"{folder}/", preferred)  # noqa: E731 - two uses, one line
        listing = self._present(rpm_index.listing("mirror", self._text(folder, "primary"), words, offer_of))
        listing.modules = self.modules(group.os, group.architecture)
        return listing

    def _text(self, folder: str, kind: str) -> str:
        root = self.layout.root / folder
        summary = root / "repodata" / "repomd.xml"
        try:
            part = rpm_index.parts(summary.read_bytes()).get(kind)
            return unpack.unpack(part.path, (root / part.path).read_bytes()) if part else ""
        except (OSError, ValueError):
            return ""  # not there or damaged, which is the same to a sync: it is made again

    def _offer_of(self, offer: Offer, folder: str, preferred: bool) -> Offer:
        path = folder + offer.place
        line = self._by_path.get(path)
        if line is None:
            return dataclasses.replace(offer, url=path)
        return dataclasses.replace(
            offer, url=line.url, upstream=line.upstream, fingerprint=line.fingerprint, preferred=preferred, path=path
        )

    def _present(self, listing: Listing) -> Listing:
        """`listing` without packages whose file is missing; empty for a damaged index."""
        try:
            gone = {offer.name for offer in listing.all if self.present(offer.path) is None}
        except (KeyError, ValueError):
            listing.drop(lambda _name: True)
            return listing
        listing.drop(lambda name: name in gone)
        return listing

    @cached_property
    def _by_path(self) -> dict[str, Artifact]:
        return self.lock.by_path
