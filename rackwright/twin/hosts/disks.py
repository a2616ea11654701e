"""The folder, in memory, with the changed files of all hosts of a twin.

A run that resumes finds it again, and one run at a time uses it. Twins of one site with different workspaces (``--work``) can run
side by side.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

from rackwright.base import file_lock
from rackwright.twin.guest import kernel

MEMORY = Path("/dev/shm")  # noqa: S108 - the one place where Linux keeps files in memory
TMPFS_MAGIC = "tmpfs"


class Disks:
    """The folder of one site's twin."""

    def __init__(self, site: str, workspace: Path, *, keep: bool) -> None:
        self.path = folder(site, workspace)
        self._lock: int | None = None
        self.mounted = False
        """True when /dev/shm is not a tmpfs and one was mounted for this run."""
        self._open(site, keep=keep)

    def remove(self) -> None:
        """Delete the files of the hosts and release the folder."""
        for entry in self.path.iterdir():
            if entry.name != "lock":
                shutil.rmtree(entry, ignore_errors=True)
        self.release()
        shutil.rmtree(self.path, ignore_errors=True)

    def release(self) -> None:
        """Release the folder and keep its files."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _open(self, site: str, *, keep: bool) -> None:
        MEMORY.mkdir(exist_ok=True)
        if file_system(MEMORY) != TMPFS_MAGIC:
            kernel.mount("tmpfs", str(MEMORY), "tmpfs", kernel.NO_SUID | kernel.NO_DEV, "mode=1777")
            self.mounted = True
        self.path.mkdir(mode=0o700, exist_ok=True)
        busy = f"a twin of the site {site} runs already with this workspace: end that command, or give another --work"
        self._lock = file_lock.take_lock(self.path / "lock", busy)
        if not keep:
            for entry in [entry for entry in self.path.iterdir() if entry.name != "lock"]:
                shutil.rmtree(entry)


def folder(site: str, workspace: Path) -> Path:
    """Folder for the files of the hosts of `site`, for the runs of one workspace."""
    mark = hashlib.sha256(str(workspace.resolve()).encode()).hexdigest()[:8]
    return MEMORY / f"rackwright-{site}-{mark}"


def file_system(path: Path) -> str:
    """The type of the file system that `path` lies on, as /proc/self/mountinfo names it."""
    best, kind = "", ""
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        head, _, right = line.partition(" - ")
        point = head.split()[4]
        inside = point == "/" or str(path) == point or str(path).startswith(point + "/")
        if inside and len(point) >= len(best):
            best, kind = point, right.split()[0]
    return kind
