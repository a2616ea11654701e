"""The options of a sync, the files it fetches, and its result: the records that its steps pass on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rackwright.mirror.package_choice import PackageChoice
from rackwright.mirror.required_files import RequiredFile
from rackwright.model.artifact import Artifact
from rackwright.upstreams import Upstreams

OnEvent = Callable[[str, dict[str, object]], None]

JOBS = 8
"""Parallel transfers: enough to fill 10 Gbit/s from a vendor's CDN, few enough not to be refused by it."""


@dataclass(frozen=True)
class SyncOptions:
    """Options of one sync, from the command line."""

    to: Path
    upstreams: Upstreams
    keys: Mapping[str, Path] = field(default_factory=dict)
    files: Path | None = None
    sign_key: str = ""
    jobs: int = JOBS
    upgrade: bool = False
    prune: bool = False


@dataclass(frozen=True)
class SyncResult:
    """Result of one sync."""

    artifacts: tuple[Artifact, ...]
    fetched: int
    bytes_read: int
    published: tuple[str, ...]
    """Indexes that were written anew."""
    unmet: Mapping[str, str]
    unread: Mapping[str, str]
    stray: tuple[str, ...]
    """Files of the mirror that nothing needs any more: removed with `prune`, else still there."""
    signed_by: str
    public_key: Path
    rpm_keys: Path | None = None
    """Public keys of the signers of rpm packages; None for a mirror without any."""

    @property
    def changed(self) -> bool:
        """Whether the sync changed the mirror."""
        return bool(self.fetched or self.published)


@dataclass(frozen=True)
class FetchedFiles:
    """Everything that the mirror will carry, each file at its place."""

    chosen: PackageChoice
    packages: tuple[tuple[RequiredFile, Artifact], ...]
    other_files: tuple[Artifact, ...]
    fetched: int
    bytes_read: int
