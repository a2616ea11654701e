"""The operations of a process after which something is different on the disk: the moments at which a kill matters."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from itertools import count

from sqlalchemy import Engine
from sqlalchemy import event as hooks

CHANGES = ("os.", "shutil.", "sqlite3.connect")
"""Prefixes of audit events (Python documentation, audit events table)."""
READS = {"os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.getxattr", "os.listxattr", "os.putenv", "os.unsetenv"}
"""Of these, those that leave the disk as it is: five of six of `attest`."""
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def call_before_each(look: Callable[[str], object]) -> None:
    """Call `look` with its name before each file that is opened to be written, each rename, removal and sync, and each statement of the ledger."""

    def audit(event: str, words: tuple[object, ...]) -> None:
        changes = event.startswith(CHANGES) and event not in READS
        if changes or (event == "open" and _writes(*words[1:3])):
            look(event)

    sync = os.fsync

    def synced(file: int) -> None:
        look("sync")
        sync(file)

    os.fsync = synced
    hooks.listen(Engine, "before_cursor_execute", lambda *_: look("statement"))
    hooks.listen(Engine, "commit", lambda *_: look("commit"))
    sys.addaudithook(audit)


def _writes(mode: object, flags: object) -> bool:
    return (isinstance(flags, int) and bool(flags & WRITES)) or (
        isinstance(mode, str) and not set(mode).isdisjoint("wax+")
    )


def kill_before(step: int) -> None:
    """Kill this process, not those that it starts later, before its operation number `step`."""
    steps, owner = count(1), os.getpid()

    def look(_name: str) -> None:
        if os.getpid() == owner and next(steps) == step:
            os.kill(owner, signal.SIGKILL)

    call_before_each(look)
