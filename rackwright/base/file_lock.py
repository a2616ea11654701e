"""A lock on a file. It ends with the process that holds it, even if the process is killed."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from rackwright.base.errors import UsageError

GRACE_SECONDS = 3.0
"""How long a command waits for a killed predecessor to end."""
POLL_SECONDS = 0.05


def take_lock(path: Path, busy: str) -> int:
    """Lock `path` and return its file descriptor; closing it releases the lock. Raises UsageError `busy` if another process holds it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + GRACE_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(lock)
                raise UsageError(busy) from None
            time.sleep(POLL_SECONDS)
        else:
            return lock


@contextmanager
def lock_names(path: Path, names: Iterable[str]) -> Iterator[set[str]]:
    """Lock each of `names` in the file at `path`; yields the names that another process holds.

    Each name locks one byte, at a position given by its hash: thousands of names need one open file.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield {name for name in names if not _lock(file, name)}
    finally:
        os.close(file)


def _lock(file: int, name: str) -> bool:
    place = int.from_bytes(sha256(name.encode()).digest()[:7])
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except (BlockingIOError, PermissionError):
        return False
    return True
