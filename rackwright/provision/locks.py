"""Locks of the file backend: whether a run is going on, or a killed one left its lock behind.

The engine writes one JSON file per lock with
process number and host name (pkg/backend/diy/lock.go of Pulumi).
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rackwright.provision.engine import PROGRAM


@dataclass(frozen=True)
class StackLock:
    """One lock file."""

    path: Path
    pid: int
    host: str

    @property
    def alive(self) -> bool:
        """True unless the process that took it is surely gone; a process on another host cannot be checked."""
        if self.host != socket.gethostname():
            return True
        process = Path("/proc") / str(self.pid)
        if Path("/proc/self").exists():
            return process.exists() and (process / "comm").read_text(encoding="utf-8").strip() == PROGRAM
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def stack_locks(backend: Path, project: str, stack: str) -> Iterator[StackLock]:
    """The locks on `stack`; a file that cannot be read was cut off by a crash and counts as stale."""
    folder = backend / ".pulumi" / "locks" / "organization" / project / stack
    for path in sorted(folder.glob("*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            yield StackLock(path, int(content["pid"]), str(content["hostname"]))
        except (OSError, ValueError, KeyError, TypeError):
            yield StackLock(path, 0, socket.gethostname())
