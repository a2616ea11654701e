"""What onboarding a site needs, line by line: from which upstream, and whether the mirror has it. Reads no network.

Which
upstream a package is expected from follows from the names that each is the place for; `sync` looks into the indexes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from rackwright.mirror.install_groups import InstallGroup
from rackwright.mirror.layout import OWN_KEYS, MirrorLayout
from rackwright.mirror.registry import parse_reference
from rackwright.mirror.required_files import MirrorPaths
from rackwright.mirror.rpm_index import streams
from rackwright.mirror.stored_files import StoredFiles
from rackwright.model.artifact import Artifact, Kind, Wanted
from rackwright.model.base import Record
from rackwright.model.software import Software
from rackwright.upstreams import SourceRepository, Upstreams, select_sources, serving_source

HEADERS = ("linux-headers-", "kernel-devel", "kernel-headers")
"""Packages that a kernel module is built with (Debian and Ubuntu; RHEL)."""
State = Literal["present", "missing", "pin", "by hand"]


class MirrorPlanLine(Record):
    """One package, file, key or image that nodes need."""

    pool: str
    os: str
    architecture: str
    role: str
    kind: Kind
    name: str
    version: str
    upstream: str
    """Upstream by name, registry, or URL; empty when its origin is unknown."""
    state: State
    """``pin``: not required, only held at a version; ``by hand``: a person must fetch it (``--files``)."""
    path: str = ""
    """Where it lies in the mirror."""


class PlannedRepository(Record):
    """One upstream that a sync will read."""

    name: str
    url: str
    os: str
    architecture: str
    unusable: str = ""
    """Why it cannot be read; empty when it can."""


class MirrorPlan(Record):
    """What the nodes need and where it comes from."""

    lines: tuple[MirrorPlanLine, ...]
    repositories: tuple[PlannedRepository, ...]
    notes: tuple[str, ...] = ()
    """What the plan cannot know, and what to do about it."""

    @property
    def missing(self) -> int:
        """Number of lines that the mirror lacks."""
        return sum(line.state in {"missing", "by hand"} for line in self.lines)


def plan_mirror(
    software: Software,
    groups: Sequence[InstallGroup],
    upstreams: Upstreams,
    to: Path | None,
    files: Path | None,
    unread: Sequence[str] = (),
) -> MirrorPlan:
    """The plan of a site; `to` is the mirror to look into, `files` the folder of what was fetched by hand, `unread` what no list names."""
    stored = StoredFiles(MirrorLayout(to)) if to is not None else None
    places = MirrorPaths(upstreams, files, software.apt_mirror, software.file_mirror)
    lines = []
    repositories: dict[tuple[str, str, str], PlannedRepository] = {}
    for group in groups:
        read = select_sources(upstreams, group.bill, group.os, group.architecture)
        for source in read:
            repository = PlannedRepository(
                name=source.name, url=source.url, os=group.os, architecture=group.architecture, unusable=source.reason
            )
            repositories.setdefault((source.name, group.os, group.architecture), repository)
        lines += [_line(group, required, read, places, stored) for required in group.required]
    return MirrorPlan(lines=tuple(lines), repositories=tuple(repositories.values()), notes=(*notes(groups), *unread))


def notes(groups: Sequence[InstallGroup]) -> tuple[str, ...]:
    """Sentences about groups without a declared kernel: their nodes build modules for the running one, and its headers are not listed."""
    return tuple(
        f"{group.title}: the kernel is the one that runs, so its headers are not in the mirror and DKMS will miss them; "
        "name it (software.kernel in the site file)"
        for group in groups
        if not group.bill.kernel
        and any(required.pin and required.name.startswith(HEADERS) for required in group.required)
    )


def stored_artifact(required: Wanted, places: MirrorPaths, stored: StoredFiles) -> Artifact | None:
    """The artifact of the mirror that matches `required`; None if the mirror lacks it."""
    if required.kind in {"file", "key"}:
        return stored.present(places.path(required))
    return next(
        (
            artifact
            for artifact in stored.lock.artifacts
            if _answers(artifact, required) and stored.is_complete(artifact)
        ),
        None,
    )


def is_stored(required: Wanted, places: MirrorPaths, stored: StoredFiles) -> bool:
    """Whether the mirror has what is required, with the required digest if there is one."""
    if required.kind == "key" and (path := places.path(required)) in OWN_KEYS:
        return (stored.layout.root / path).is_file()
    if required.name.startswith("@"):
        return required.name in streams(stored.modules(required.os, required.architecture))
    artifact = stored_artifact(required, places, stored)
    return artifact is not None and (not required.sha256 or required.sha256 == artifact.sha256)


def _answers(artifact: Artifact, required: Wanted) -> bool:
    if artifact.kind != required.kind:
        return False
    if required.kind == "image":
        return (
            artifact.name == required.name and artifact.architecture == required.architecture and bool(artifact.version)
        )
    words = {"amd64": ("amd64", "x86_64"), "arm64": ("arm64", "aarch64")}[required.architecture]
    return (
        artifact.os == required.os
        and artifact.architecture in (*words, "all", "noarch")
        and required.matches(artifact.name, artifact.version)
    )


def _line(
    group: InstallGroup,
    required: Wanted,
    read: Sequence[SourceRepository],
    places: MirrorPaths,
    stored: StoredFiles | None,
) -> MirrorPlanLine:
    artifact = stored_artifact(required, places, stored) if stored is not None else None
    upstream, page = _origin(required, read, places)
    present = stored is not None and is_stored(required, places, stored)
    state: State = "present" if present else "by hand" if page and not upstream else "missing"
    if required.kind == "key" and places.path(required) in OWN_KEYS:
        upstream = "the mirror's own"
    return MirrorPlanLine(
        pool=group.pool,
        os=group.os,
        architecture=group.architecture,
        role=required.role,
        kind=required.kind,
        name=required.name,
        version=required.version,
        upstream=artifact.upstream if artifact and artifact.upstream else upstream or page,
        state="pin" if required.pin else state,
        path=artifact.path if artifact else "",
    )


def _origin(required: Wanted, read: Sequence[SourceRepository], places: MirrorPaths) -> tuple[str, str]:
    if required.kind == "image":
        return parse_reference(required.name).registry, ""
    if required.kind != "package":
        return places.origin(required)
    place = serving_source(read, required.name)
    return place.name if place else "", ""
