"""The munge key of a site: the one secret that its Slurm daemons share, made once and kept."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.base.workspace import Workspace

KEY_BYTES = 128
"""1024 bits, what mungekey(8) makes by default."""
LEAST_BYTES = 32
"""The least that munged(8) accepts."""


def munge_key(workspace: Workspace) -> Path:
    """The file with the key of this site, mode 0600, made on first use.

    OutsideError when it is too short to be a key: it is never replaced, because every daemon of the cluster has the old one.
    """
    path = workspace.folder("secrets") / "munge.key"
    if not path.exists():
        _make(path)
    if path.stat().st_size < LEAST_BYTES:
        raise OutsideError(f"{path} is no munge key: bring back the site's own, or remove it to make a new one")
    path.chmod(0o600)
    return path


def _make(path: Path) -> None:
    """Write beside it and rename, so that an interrupted run leaves no half a key."""
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_bytes(KEY_BYTES))
    beside.rename(path)
