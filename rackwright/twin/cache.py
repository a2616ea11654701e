"""Location of files that all twins share: the mirror, the layer of their hosts, libraries."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Folder for files that all twins share (XDG base directories)."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "rackwright"
