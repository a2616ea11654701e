"""One at a time: a lock on a file that ends with the process that holds it, also when that is killed."""

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
"""A killed command takes a moment to end; its successor waits that long."""
POLL_SECONDS = 0.05


def take(path: Path, busy: str) -> int:
    """Hold the lock at `path` and return its file descriptor, which gives it up when closed; UsageError `busy` when taken."""
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
def each(path: Path, names: Iterable[str]) -> Iterator[set[str]]:
    """Hold every one of `names` in the file at `path`; yields those that another process holds, which it keeps.

    A lock on one byte per name, at a place that its hash gives: thousands of names need one open file.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield {name for name in names if not _held(file, name)}
    finally:
        os.close(file)


def _held(file: int, name: str) -> bool:
    place = int.from_bytes(sha256(name.encode()).digest()[:7])
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except (BlockingIOError, PermissionError):
        return False
    return True
