"""The munge key of a site: the one secret that its Slurm daemons share, made once and kept."""

from __future__ import annotations

import secrets
from pathlib import Path

from rackwright.base.durable_file import secret_file
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
    if len(secret_file(path, lambda: secrets.token_bytes(KEY_BYTES))) < LEAST_BYTES:
        raise OutsideError(f"{path} is no munge key: bring back the site's own, or remove it to make a new one")
    path.chmod(0o600)
    return path
