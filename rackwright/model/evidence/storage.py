"""Storage results of a node: its own drives, the shared file system, and when files of other nodes become visible."""

from __future__ import annotations

from typing import ClassVar

from rackwright.model.base import Record


class FileSpeed(Record):
    """One job of fio."""

    job: str
    """``read``, ``write``, ``randread``; a mixed one is two, ``randrw read`` and ``randrw write``."""
    path: str
    block_bytes: int
    gbytes_per_s: float
    operations_per_s: float
    errors: int


class LocalFilesystems(Record):
    """Speed of a node's own drives (`fio`)."""

    reading_name: ClassVar[str] = "LocalStorage"

    tool: str
    jobs: list[FileSpeed]


class SharedStorage(Record):
    """Speed of a shared file system as one node sees it, data and metadata."""

    tool: str
    path: str
    filesystem: str
    """Type of the mount (``lustre``, ``nfs4``): proves that it is the shared one."""
    jobs: list[FileSpeed]
    creates_per_s: float | None
    stats_per_s: float | None
    removes_per_s: float | None


class Sight(Record):
    """One node looks for a file that another node has just written."""

    writer: str
    reader: str
    seconds: float | None
    """From the end of the writer's close to the first right reading; None: it was not there in time."""
    matches: bool


class Visibility(Record):
    """Whether nodes see each other's files on a shared file system."""

    path: str
    sights: list[Sight]
