"""Mounted file systems of one node."""

from __future__ import annotations

from rackwright.model.base import Record


class Mount(Record):
    """One mounted file system; None where it has no size of its own."""

    target: str
    source: str
    kind: str
    """Type of the file system (``xfs``, ``nfs4``, ``lustre``)."""
    options: list[str]
    bytes: int | None
    used_bytes: int | None
    available_bytes: int | None


class Mounts(Record):
    """Mounted file systems, in the order in which they were mounted (`findmnt`)."""

    mounts: list[Mount]
