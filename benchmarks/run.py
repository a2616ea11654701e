"""Measures the speed goals and prints them beside what was reached. Run by ``make bench``; nothing here is a test.

Each goal is a command a user runs, timed as a whole process; the best and the median of several runs are shown.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = "inventories/h100-pod/site.yaml"


@dataclass(frozen=True)
class Goal:
    """One speed goal: what is run, how often, and how long it may take."""

    name: str
    argv: tuple[str, ...]
    seconds: float
    runs: int


GOALS = (
    Goal("check the example site", ("check", SITE), 1.0, 7),
    Goal("design the example site", ("design", SITE), 3.0, 5),
    Goal("rehearse 8 nodes (after the first time)", ("rehearse", SITE, "--nodes", "8"), 90.0, 2),
)


def measure(goal: Goal) -> list[float]:
    """Wall seconds of each run; the command must succeed, or the figure means nothing."""
    seconds = []
    for _ in range(goal.runs):
        started = time.monotonic()
        done = subprocess.run(
            [str(Path(sys.executable).parent / "rackwright"), *goal.argv],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise SystemExit(f"{goal.name}: exit {done.returncode}\n{done.stderr[-2000:]}")
        seconds.append(time.monotonic() - started)
    return seconds


def main() -> int:
    """Print one line per goal; exit 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description="measure the speed goals")
    parser.add_argument("--only", default="", help="part of a goal's name")
    only = parser.parse_args().only
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    missed = 0
    for goal in GOALS:
        if only not in goal.name:
            continue
        seconds = measure(goal)
        verdict = "reached" if statistics.median(seconds) <= goal.seconds else "MISSED"
        missed += verdict == "MISSED"
        print(
            f"{goal.name:<42} best {min(seconds):7.2f} s  median {statistics.median(seconds):7.2f} s  "
            f"goal {goal.seconds:5.1f} s  {verdict}"
        )
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
