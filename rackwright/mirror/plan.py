"""What onboarding a site will ask for, line by line: from which upstream, and whether the mirror has it. Reads no network.

Which
upstream a package is expected from follows from the names that each is the place for; `sync` looks into the indexes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from rackwright.mirror.layout import PUBLIC_KEY, Layout
from rackwright.mirror.registry import parse
from rackwright.mirror.requested import Group
from rackwright.mirror.required import Places
from rackwright.mirror.rpm_index import streams
from rackwright.mirror.stored_files import Kept
from rackwright.mirror.upstreams import Source, Upstreams, home, sources
from rackwright.model.artifact import Artifact, Kind, Wanted
from rackwright.model.base import Record
from rackwright.model.software import Software

HEADERS = ("linux-headers-", "kernel-devel", "kernel-headers")
"""Packages that a kernel module is built with (Debian and Ubuntu; RHEL)."""
State = Literal["present", "missing", "pin", "by hand"]


class Line(Record):
    """One thing that nodes will ask for."""

    pool: str
    os: str
    architecture: str
    role: str
    kind: Kind
    name: str
    version: str
    upstream: str
    """Upstream by name, registry, or URL; empty when nobody knows where it is from."""
    state: State
    """``pin``: not asked for, only kept at a version; ``by hand``: a person must fetch it (``--files``)."""
    path: str = ""
    """Where it lies in the mirror."""


class Repository(Record):
    """One upstream that a sync will read."""

    name: str
    url: str
    os: str
    architecture: str
    unusable: str = ""
    """Why it cannot be read; empty when it can."""


class Plan(Record):
    """What is asked for and where it comes from."""

    lines: tuple[Line, ...]
    repositories: tuple[Repository, ...]
    notes: tuple[str, ...] = ()
    """What the plan cannot know, and what to do about it."""

    @property
    def missing(self) -> int:
        """How many things the mirror lacks."""
        return sum(one.state in {"missing", "by hand"} for one in self.lines)


def plan(
    software: Software, groups: Sequence[Group], upstreams: Upstreams, to: Path | None, files: Path | None
) -> Plan:
    """The plan of a site; `to` is the mirror to look into, `files` the folder of what was fetched by hand."""
    kept = Kept(Layout(to)) if to is not None else None
    places = Places(upstreams, files, software.apt_mirror, software.file_mirror)
    lines = []
    repositories: dict[tuple[str, str, str], Repository] = {}
    for group in groups:
        read = sources(upstreams, group)
        for one in read:
            found = Repository(
                name=one.name, url=one.url, os=group.os, architecture=group.architecture, unusable=one.reason
            )
            repositories.setdefault((one.name, group.os, group.architecture), found)
        lines += [_line(group, wanted, read, places, kept) for wanted in group.wanted]
    return Plan(lines=tuple(lines), repositories=tuple(repositories.values()), notes=notes(groups))


def notes(groups: Sequence[Group]) -> tuple[str, ...]:
    """Groups whose kernel nobody named: their nodes build modules for the one that runs, and its headers are not listed."""
    return tuple(
        f"{group.title}: the kernel is the one that runs, so its headers are not in the mirror and DKMS will miss them; "
        "name it (software.kernel in the site file)"
        for group in groups
        if not group.bill.kernel and any(one.pin and one.name.startswith(HEADERS) for one in group.wanted)
    )


def held(wanted: Wanted, places: Places, kept: Kept) -> Artifact | None:
    """The artifact of the mirror that answers `wanted`, when it is there."""
    if wanted.kind in {"file", "key"}:
        return kept.known(places.path(wanted))
    return next((one for one in kept.lock.artifacts if _answers(one, wanted) and kept.there(one)), None)


def present(wanted: Wanted, places: Places, kept: Kept) -> bool:
    """Whether the mirror has what is asked for, at the digest that is asked for where one is."""
    if wanted.kind == "key" and places.path(wanted) == PUBLIC_KEY:
        return (kept.layout.root / PUBLIC_KEY).is_file()
    if wanted.name.startswith("@"):
        return wanted.name in streams(kept.modules(wanted.os, wanted.architecture))
    found = held(wanted, places, kept)
    return found is not None and (not wanted.sha256 or wanted.sha256 == found.sha256)


def _answers(artifact: Artifact, wanted: Wanted) -> bool:
    if artifact.kind != wanted.kind:
        return False
    if wanted.kind == "image":
        return artifact.name == wanted.name and artifact.architecture == wanted.architecture and bool(artifact.version)
    words = {"amd64": ("amd64", "x86_64"), "arm64": ("arm64", "aarch64")}[wanted.architecture]
    return (
        artifact.os == wanted.os
        and artifact.architecture in (*words, "all", "noarch")
        and wanted.matches(artifact.name, artifact.version)
    )


def _line(group: Group, wanted: Wanted, read: Sequence[Source], places: Places, kept: Kept | None) -> Line:
    found = held(wanted, places, kept) if kept is not None else None
    upstream, page = _origin(wanted, read, places)
    there = kept is not None and present(wanted, places, kept)
    state: State = "present" if there else "by hand" if page and not upstream else "missing"
    if wanted.kind == "key" and places.path(wanted) == PUBLIC_KEY:
        upstream = "the mirror's own"
    return Line(
        pool=group.pool,
        os=group.os,
        architecture=group.architecture,
        role=wanted.role,
        kind=wanted.kind,
        name=wanted.name,
        version=wanted.version,
        upstream=found.upstream if found and found.upstream else upstream or page,
        state="pin" if wanted.pin else state,
        path=found.path if found else "",
    )


def _origin(wanted: Wanted, read: Sequence[Source], places: Places) -> tuple[str, str]:
    if wanted.kind == "image":
        return parse(wanted.name).registry, ""
    if wanted.kind != "package":
        return places.origin(wanted)
    usable = [one for one in read if not home(one.exclude, wanted.name)]
    bare = wanted.name.removeprefix("@")
    place = max(usable, key=lambda one: home(one.packages, bare), default=None)
    if place is None or not home(place.packages, bare):
        place = next((one for one in usable if not one.packages), None)
    return place.name if place else "", ""
