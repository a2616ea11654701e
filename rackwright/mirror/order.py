"""What a sync is told, what it brings, and what came of it: the records that its steps hand on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rackwright.mirror.choose import Chosen
from rackwright.mirror.required import Due
from rackwright.mirror.upstreams import Upstreams
from rackwright.model.artifact import Artifact

Event = Callable[[str, dict[str, object]], None]

JOBS = 8
"""Files that come at once: enough to fill 10 Gbit/s from a vendor's CDN, few enough that it does not turn us away."""


@dataclass(frozen=True)
class Order:
    """What the operator asks of a sync."""

    to: Path
    upstreams: Upstreams
    keys: Mapping[str, Path] = field(default_factory=dict)
    files: Path | None = None
    sign_key: str = ""
    jobs: int = JOBS
    upgrade: bool = False
    prune: bool = False


@dataclass(frozen=True)
class Synced:
    """What came of a sync."""

    artifacts: tuple[Artifact, ...]
    fetched: int
    bytes_read: int
    published: tuple[str, ...]
    """Indexes that were written anew."""
    left: Mapping[str, str]
    unread: Mapping[str, str]
    stray: tuple[str, ...]
    """Files of the mirror that nothing asks for any more: removed with `prune`, else still there."""
    signed_by: str
    public_key: Path

    @property
    def changed(self) -> bool:
        """Whether the mirror is another than before."""
        return bool(self.fetched or self.published)


@dataclass(frozen=True)
class Came:
    """Everything that the mirror is to carry, at its place."""

    chosen: Chosen
    packages: tuple[tuple[Due, Artifact], ...]
    others: tuple[Artifact, ...]
    fetched: int
    bytes_read: int
