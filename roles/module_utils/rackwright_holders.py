"""Programs that hold device files open and must not be disturbed when a driver, a firmware or a mode is changed.

Read from /proc, so that no vendor's tool is needed.
"""

from __future__ import annotations

import fnmatch
from pathlib import Path


def holders(patterns, proc="/proc"):
    """Programs with an open file that matches one of `patterns`, in the order of their process ids."""
    processes = sorted(
        (folder for folder in Path(proc).iterdir() if folder.name.isdigit()), key=lambda folder: int(folder.name)
    )
    return [
        f"{_name(process)} ({process.name})"
        for process in processes
        if any(fnmatch.fnmatchcase(path, pattern) for path in _open_files(process) for pattern in patterns)
    ]


def _open_files(process):
    paths = []
    try:
        for link in (process / "fd").iterdir():
            paths.append(str(link.readlink()))  # noqa: PERF401 - it may end while we look, and what was seen counts
    except OSError:
        pass
    return paths


def _name(process):
    try:
        return (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return "?"
