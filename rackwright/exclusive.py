"""One at a time: a lock on a file that ends with the process that holds it, also when that is killed."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from rackwright.errors import UsageError

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
