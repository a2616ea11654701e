"""Runs one ``ansible-runner worker`` on this node, and leaves nothing of it behind.

One at a time per node. When the other side goes away, the play is ended: whoever runs the next one must
not meet this one at work.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path("/run/rackwright")
"""On a tmpfs: secrets of the play never reach a disk here."""
PRIVATE = FOLDER / "worker"
LOCK_SECONDS = 30
"""How long the end of an earlier worker is waited for; it ends itself when its connection has gone."""
KEEPALIVE_SECONDS = 20
"""How often the worker says that it is at work, while a long task says nothing."""
LOOK_MILLISECONDS = 200
END_SECONDS = 10
"""How long a play that is ended has for what it is at, before it is killed."""
PR_SET_CHILD_SUBREAPER = 36  # prctl(2)
POLLRDHUP = 0x2000  # poll(2); the select module has no name for it


def main() -> int:
    """Exit status of the worker; 1 when it was ended, or another one is at work."""
    FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (FOLDER / "worker.lock").open("w", encoding="ascii") as lock:
        if not _locked(lock.fileno()):
            return _refuse("another onboarding is at work on this host")
        home = Path(__file__).resolve().parent
        _remove_old_workers(home)
        PRIVATE.mkdir(mode=0o700)
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, lambda *_: sys.exit(1))
        try:
            return _watched(_start_worker(home))
        finally:
            _end_all()
            shutil.rmtree(PRIVATE, ignore_errors=True)


def _remove_old_workers(home: Path) -> None:
    """What an earlier worker could not remove, and bundles of other versions: nobody is at work with them, we have the lock."""
    shutil.rmtree(PRIVATE, ignore_errors=True)
    for old in home.parent.iterdir():
        if old.is_dir() and old not in (home, home.with_name("part")):
            shutil.rmtree(old, ignore_errors=True)


def _locked(handle: int) -> bool:
    end = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                return False
            time.sleep(LOOK_MILLISECONDS / 1000)
        else:
            return True


def _refuse(why: str) -> int:
    for line in ({"status": "error", "job_explanation": why}, {"eof": True}):
        sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
    return 1


def _start_worker(home: Path) -> subprocess.Popen[bytes]:
    """The worker, with an environment that owes nothing to the login of this connection."""
    environment = {
        "PATH": f"{home / 'bin'}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LC_ALL": "C.UTF-8",
        "RACKWRIGHT_PYTHON": sys.executable,
        "ANSIBLE_HOME": str(PRIVATE / "home"),
        "ANSIBLE_LOCAL_TEMP": str(PRIVATE / "tmp"),
        "ANSIBLE_REMOTE_TEMP": str(PRIVATE / "tmp"),
        "TMPDIR": str(PRIVATE),
    }
    python = [sys.executable, "-I", "-S", str(home / "start.py"), "ansible_runner"]
    words = ["worker", "--private-data-dir", str(PRIVATE), "--keepalive-seconds", str(KEEPALIVE_SECONDS)]
    return subprocess.Popen([*python, *words], env=environment, cwd=PRIVATE, start_new_session=True)


def _watched(child: subprocess.Popen[bytes]) -> int:
    """Until the worker ends or the other side is gone. Its input is ours: we look at the line, and never read from it."""
    line = select.poll()
    line.register(0, POLLRDHUP)
    while child.poll() is None:
        if line.poll(LOOK_MILLISECONDS):
            return 1
    return child.returncode


def _end_all() -> None:
    """End every process that came of the play, politely first; orphans come to us, so that none is missed."""
    end = time.monotonic() + END_SECONDS
    for number in (signal.SIGTERM, signal.SIGKILL):
        while mine := _descendants():
            for pid in mine:
                _kill(pid, number)
            _reap()
            if number == signal.SIGTERM and time.monotonic() > end:
                break
            time.sleep(LOOK_MILLISECONDS / 1000)


def _descendants() -> list[int]:
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended while we looked
        if fields[0] != "Z":
            parents[int(path.parent.name)] = int(fields[1])
    descendants, edge = [], {os.getpid()}
    while edge:
        edge = {pid for pid, parent in parents.items() if parent in edge}
        descendants += sorted(edge)
    return descendants


def _kill(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return


if __name__ == "__main__":
    sys.exit(main())
