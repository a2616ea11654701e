"""The files that the mirror must carry and how to fetch each, in one list without duplicates."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from rackwright.base.errors import Problem
from rackwright.mirror.install_groups import InstallGroup
from rackwright.mirror.layout import OWN_KEYS, rpm_folder
from rackwright.mirror.package_offers import Offer
from rackwright.mirror.package_resolver import Resolution
from rackwright.mirror.stored_files import StoredFiles, is_rpm
from rackwright.model.artifact import Artifact, Wanted
from rackwright.upstreams import Upstreams, vendor_url

UNSIGNED = "base_rpm_unsigned"
"""Option with the packages that hosts take without a signature of their own, because their vendor makes none."""


@dataclass(frozen=True)
class RequiredFile:
    """One artifact. Its size is 0 and its digest empty until it is fetched, unless an index lists them."""

    artifact: Artifact
    entry: str = ""
    """Of a package: its entry in the upstream's index."""
    check_package: str = ""
    """Upstream whose key must have signed the package itself: of every rpm, unless the site takes it unsigned."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """HTTP headers to ask with; they may hold a token."""


def required_packages(chosen: Sequence[tuple[InstallGroup, Resolution]]) -> list[RequiredFile]:
    """The packages of all groups, in order of their paths; of two files with one name, version and place the first."""
    required: dict[tuple[str, str, str, str], RequiredFile] = {}
    for group, resolution in chosen:
        for (name, version, architecture), (offer, askers) in resolution.chosen.items():
            key = (group.os, name, version, architecture)
            earlier = required.get(key)
            askers_of_all = (*(earlier.artifact.asked_by if earlier else ()), *askers)
            file = earlier or _package(group, offer)
            required[key] = dataclasses.replace(
                file, artifact=file.artifact.model_copy(update={"asked_by": tuple(sorted(set(askers_of_all)))})
            )
    return sorted(required.values(), key=lambda file: file.artifact.path)


def _package(group: InstallGroup, offer: Offer) -> RequiredFile:
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
    unsigned = offer.fingerprint and any(fnmatchcase(offer.name, glob) for glob in group.bill.options.get(UNSIGNED, ()))
    return RequiredFile(artifact, offer.text, offer.upstream if is_rpm(group.os) and not unsigned else "")


@dataclass(frozen=True)
class MirrorPaths:
    """Where vendor files are found, and where hosts will look for them."""

    upstreams: Upstreams
    folder: Path | None
    """Folder of ``--files``: what a person has fetched."""
    apt_mirror: str
    file_mirror: str

    def path(self, required: Wanted) -> str:
        """Where the file must lie so that the host finds it; of a path that leaves the mirror only the name counts."""
        for base, folder in ((self.file_mirror, "files/"), (self.apt_mirror, "")):
            if base and required.url.startswith(f"{base.rstrip('/')}/"):
                path = PurePosixPath(re.split(r"[?#]", required.url[len(base.rstrip("/")) + 1 :])[0])
                if ".." not in path.parts:
                    return f"{folder}{path}"
        return f"files/{_name(required)}"

    def origin(self, required: Wanted) -> tuple[str, str]:
        """The URL to fetch it from, and the page where a person must, when there is no URL."""
        if self.folder is not None and (self.folder / _name(required)).is_file():
            return (self.folder / _name(required)).resolve().as_uri(), ""
        url, page = vendor_url(self.upstreams, _name(required))
        mirrors = [base for base in (self.apt_mirror, self.file_mirror) if base and required.url.startswith(base)]
        return url or ("" if mirrors or page else required.url), page


def required_files(
    groups: Iterable[InstallGroup], places: MirrorPaths, stored: StoredFiles, *, upgrade: bool
) -> tuple[list[RequiredFile], list[Problem]]:
    """Vendor files and keys, and a problem for each whose origin is unknown.

    A file that was fetched once must have the same digest when it is fetched again, unless an upgrade is requested.
    """
    files_by_path: dict[str, RequiredFile] = {}
    problems: dict[str, Problem] = {}
    for software in [need for group in groups for need in group.required if need.kind in {"file", "key"}]:
        path = places.path(software)
        if path in OWN_KEYS:
            continue  # the mirror's own
        url, page = places.origin(software)
        stored_file = stored.present(path)
        if not url and stored_file is None:
            problems.setdefault(path, _unknown_file(software, page))
            continue
        before = files_by_path[path].artifact.asked_by if path in files_by_path else ()
        update = {"asked_by": tuple(sorted({*before, f"{software.pool or '-'}/{software.role}"}))}
        fresh = stored_file is None or (software.sha256 and stored_file.sha256 != software.sha256)
        line = _file(software, path, url) if fresh or stored_file is None else stored_file
        old = stored.line(path)
        if not line.sha256 and old is not None and old.url == url and not upgrade:
            line = line.model_copy(update={"sha256": old.sha256})
        files_by_path[path] = RequiredFile(line.model_copy(update=update))
    return sorted(files_by_path.values(), key=lambda file: file.artifact.path), list(problems.values())


def _file(required: Wanted, path: str, url: str) -> Artifact:
    return Artifact(kind=required.kind, name=_name(required), path=path, url=url, size=0, sha256=required.sha256)


def _name(required: Wanted) -> str:
    """The file's own name: the end of the URL that the host will ask for."""
    return re.split(r"[?#]", required.url)[0].rstrip("/").rsplit("/", 1)[-1] or required.name


def _unknown_file(required: Wanted, page: str) -> Problem:
    name = _name(required)
    return Problem(
        place=f"{required.pool or 'servers without a pool'} on {required.os}",
        path=f"{required.role}.{name}",
        message="this vendor file must be fetched by hand" if page else "nobody knows where this file comes from",
        expected=f"{name} in the folder of --files",
        found=f"the vendor wants a login: {page}" if page else "no pattern of the file of upstreams matches its name",
        next_step=f"fetch {name}{f' from {page}' if page else ''}, put it into a folder and give that with --files DIR",
        code="mirror.by_hand",
    )
