"""What a program costs with everything that it starts: wall and processor seconds, peak memory.

Memory is the proportional share (PSS) of all processes of the program, looked at ten times a second; a program that leaves its session
(the masters of OpenSSH) is counted as long as it is somebody's child.
"""

from __future__ import annotations

import os
import resource
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

LOOK_SECONDS = 0.1
PATIENCE = 900.0
"""Seconds after which a tool is stopped; its figure is then a lower bound."""


def measured(argv: list[str], work: Path, nodes: int) -> dict[str, Any]:
    """The cost of `argv` over `nodes` nodes; `good` is false when it failed."""
    log = work / f"{Path(argv[0]).name}-{time.monotonic_ns()}.log"
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environment = {**os.environ, "ANSIBLE_HOST_KEY_CHECKING": "1", "TMPDIR": str(work)}
    with log.open("a") as out:
        process = subprocess.Popen(
            argv, stdout=out, stderr=out, cwd=Path(__file__).parents[2], env=environment, start_new_session=True
        )
        peak = _watch(process)
        code = process.wait(timeout=PATIENCE)
    wall = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    mib = peak() / 1024
    return {
        "nodes": nodes,
        "wall": wall / nodes,
        "cpu": cpu / nodes,
        "mib": mib / nodes,
        "peak_mib": mib,
        "good": code == 0,
        "said": log.read_text(errors="replace")[-400:],
    }


def _watch(process: subprocess.Popen[bytes]) -> Any:
    """Looks at the memory until the program ends; the result gives the peak in KiB."""
    most = [0]

    def look() -> None:
        while process.poll() is None:
            most[0] = max(most[0], sum(map(_share, _family(process.pid))))
            time.sleep(LOOK_SECONDS)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()

    def peak() -> int:
        watcher.join(1.0)
        return most[0]

    return peak


def _family(first: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError, ValueError):
            continue
        parents.setdefault(parent, []).append(int(path.parent.name))
    members, pending = [], [first]
    while pending:
        pid = pending.pop()
        members.append(pid)
        pending += parents.get(pid, [])
    return members


def _share(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
