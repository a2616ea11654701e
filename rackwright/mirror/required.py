"""What has to come: artifacts with the way to fetch each, in one list without doubles."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rackwright.base.errors import Problem
from rackwright.mirror.layout import PUBLIC_KEY
from rackwright.mirror.offers import Offer
from rackwright.mirror.requested import Group
from rackwright.mirror.resolve import Resolution
from rackwright.mirror.stored_files import Kept, is_rpm, rpm_folder
from rackwright.mirror.upstreams import Upstreams, vendor_url
from rackwright.model.artifact import Artifact, Wanted


@dataclass(frozen=True)
class Due:
    """One artifact. Its size and digest are 0 and empty until it has come, where no index says them."""

    artifact: Artifact
    entry: str = ""
    """Of a package: its entry in the upstream's index."""
    check_package: str = ""
    """Upstream whose key must have signed the package itself, because its index is not signed."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """HTTP headers to ask with; they may hold a token."""


def packages(chosen: Sequence[tuple[Group, Resolution]]) -> list[Due]:
    """The packages of all groups, in order of their paths; of two files with one name, version and place the first."""
    found: dict[tuple[str, str, str, str], Due] = {}
    for group, resolution in chosen:
        for (name, version, architecture), (offer, askers) in resolution.chosen.items():
            key = (group.os, name, version, architecture)
            known = found.get(key)
            said = (*(known.artifact.asked_by if known else ()), *askers)
            due = known or _package(group, offer)
            found[key] = dataclasses.replace(
                due, artifact=due.artifact.model_copy(update={"asked_by": tuple(sorted(set(said)))})
            )
    return sorted(found.values(), key=lambda one: one.artifact.path)


def _package(group: Group, offer: Offer) -> Due:
    folder = rpm_folder(group.os, group.architecture) if is_rpm(group.os) else f"pool/{group.os}"
    artifact = Artifact(
        kind="package",
        name=offer.name,
        version=offer.version,
        architecture=offer.architecture,
        os=group.os,
        path=offer.path or f"{folder}/{offer.upstream}/{offer.file_name}",
        url=offer.url,
        size=offer.size,
        sha256=offer.sha256,
        upstream=offer.upstream,
        fingerprint=offer.fingerprint,
    )
    return Due(artifact, offer.text, "" if offer.fingerprint else offer.upstream)


@dataclass(frozen=True)
class Places:
    """Where vendor files are found, and where hosts will look for them."""

    upstreams: Upstreams
    folder: Path | None
    """Folder of ``--files``: what a person has fetched."""
    apt_mirror: str
    file_mirror: str

    def path(self, wanted: Wanted) -> str:
        """Where the file must lie so that the host finds it; of a path that leaves the mirror only the name counts."""
        for base, folder in ((self.file_mirror, "files/"), (self.apt_mirror, "")):
            if base and wanted.url.startswith(f"{base.rstrip('/')}/"):
                path = PurePosixPath(re.split(r"[?#]", wanted.url[len(base.rstrip("/")) + 1 :])[0])
                if ".." not in path.parts:
                    return f"{folder}{path}"
        return f"files/{_name(wanted)}"

    def origin(self, wanted: Wanted) -> tuple[str, str]:
        """The URL to fetch it from, and the page where a person must, when there is no URL."""
        if self.folder is not None and (self.folder / _name(wanted)).is_file():
            return (self.folder / _name(wanted)).resolve().as_uri(), ""
        url, page = vendor_url(self.upstreams, _name(wanted))
        own = [base for base in (self.apt_mirror, self.file_mirror) if base and wanted.url.startswith(base)]
        return url or ("" if own or page else wanted.url), page


def files(groups: Iterable[Group], places: Places, kept: Kept, *, upgrade: bool) -> tuple[list[Due], list[Problem]]:
    """Vendor files and keys; with a problem for each that nobody knows how to get.

    A file that came once must have the same digest when it comes again, unless an upgrade is asked for.
    """
    found: dict[str, Due] = {}
    problems: dict[str, Problem] = {}
    for wanted in [one for group in groups for one in group.wanted if one.kind in {"file", "key"}]:
        path = places.path(wanted)
        if path == PUBLIC_KEY:
            continue  # the mirror's own
        url, page = places.origin(wanted)
        known = kept.known(path)
        if not url and known is None:
            problems.setdefault(path, _unknown(wanted, page))
            continue
        before = found[path].artifact.asked_by if path in found else ()
        update = {"asked_by": tuple(sorted({*before, f"{wanted.pool or '-'}/{wanted.role}"}))}
        fresh = known is None or (wanted.sha256 and known.sha256 != wanted.sha256)
        line = _file(wanted, path, url) if fresh or known is None else known
        old = kept.line(path)
        if not line.sha256 and old is not None and old.url == url and not upgrade:
            line = line.model_copy(update={"sha256": old.sha256})
        found[path] = Due(line.model_copy(update=update))
    return sorted(found.values(), key=lambda one: one.artifact.path), list(problems.values())


def _file(wanted: Wanted, path: str, url: str) -> Artifact:
    return Artifact(kind=wanted.kind, name=_name(wanted), path=path, url=url, size=0, sha256=wanted.sha256)


def _name(wanted: Wanted) -> str:
    """The file's own name: the end of the URL that the host will ask for."""
    return re.split(r"[?#]", wanted.url)[0].rstrip("/").rsplit("/", 1)[-1] or wanted.name


def _unknown(wanted: Wanted, page: str) -> Problem:
    name = _name(wanted)
    return Problem(
        place=f"{wanted.pool or 'servers without a pool'} on {wanted.os}",
        path=f"{wanted.role}.{name}",
        message="this vendor file must be fetched by hand" if page else "nobody knows where this file comes from",
        expected=f"{name} in the folder of --files",
        found=f"the vendor wants a login: {page}" if page else "no pattern of the file of upstreams matches its name",
        next_step=f"fetch {name}{f' from {page}' if page else ''}, put it into a folder and give that with --files DIR",
        code="mirror.by_hand",
    )
