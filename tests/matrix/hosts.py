"""Walks one row with hosts, as a new user would: size, check, then a rehearsal of two nodes that must be accepted and run a job."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.matrix import walk
from tests.matrix.rows import Row, same_site

NODES = 2
ACCEPTED = f"As injected: no node was refused, and all {NODES} ran a job."
REFUSED = "check: "
"""Begins the result of a row that `check` refuses."""
COMMAND = (sys.executable, "-m", "rackwright")


@dataclass(frozen=True)
class HostWalk:
    """How one row ended."""

    row: Row
    accepted: bool
    result: str
    """The sentence of the command that ended it."""
    seconds: float
    """Of the clock."""
    cpu_seconds: float

    @property
    def line(self) -> str:
        """The row of the published table."""
        row = self.row
        result = "accepted, both nodes ran a job" if self.accepted else self.result.replace("|", "/")
        cells = (row.server, row.scheduler, row.system, result, f"{self.seconds:.0f}", f"{self.cpu_seconds:.0f}")
        return f"| {' | '.join(cells)} |"


def play(row: Row, folder: Path) -> HostWalk:
    """Size the site of `row` in `folder`, check it, and rehearse it."""
    begun, used = time.monotonic(), _cpu_seconds()
    accepted, result = _play(row, folder)
    return HostWalk(row, accepted, result, time.monotonic() - begun, _cpu_seconds() - used)


def play_accepted(row: Row, folder: Path) -> HostWalk:
    """`play`, on the first system of `row`'s server that `check` accepts: what it refuses is in the published matrix."""
    for number, candidate in enumerate(same_site(row)):
        (folder / str(number)).mkdir()
        ended = play(candidate, folder / str(number))
        if not ended.result.startswith(REFUSED):
            break
    return ended


def _play(row: Row, folder: Path) -> tuple[bool, str]:
    site = folder / "site.yaml"
    walk.sized_stage(row.server, row.scheduler, folder, system=row.system)
    return rehearse(site, folder / "work")


def rehearse(site: Path, work: Path) -> tuple[bool, str]:
    """Check `site` and rehearse two of its nodes; whether both were accepted and ran a job, and the sentence that ended it."""
    code, text = _run("check", str(site))
    if code:
        return False, f"{REFUSED}{text.splitlines()[0]}"
    words = ("--nodes", str(NODES), "--no-faults", "--format", "json", "--work", str(work))
    code, text = _run("rehearse", str(site), *words)
    if not text.startswith("{"):
        return False, f"rehearse ended with {code}: {text[-500:]}"
    printed = json.loads(text)
    sentences = printed.get("sentences") or [problem["message"] for problem in printed.get("problems", [])]
    sentences = sentences or [printed["error"]]
    return sentences == [ACCEPTED], " ".join(sentences)


def _run(*words: str) -> tuple[int, str]:
    """Exit code, and what was printed: errors where there is nothing else."""
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout if done.stdout.startswith("{") else done.stderr or done.stdout


def _cpu_seconds() -> float:
    parts: Sequence[resource.struct_rusage] = [
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    return sum(part.ru_utime + part.ru_stime for part in parts)
