"""Classifies the lines that nccl-tests and rccl-tests print themselves."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["start", "settings", "elided", "rank", "end", "tool", "counters", "other"]
PATTERNS: dict[Kind, re.Pattern[str]] = {
    "elided": re.compile(r"^#.*\.\.\.$"),
    "rank": re.compile(r"^#\s+Rank\s+(\d+)\s.*?\bPid\s+(\d+)\s+on\s+(\S+)\s+device\s+(\d+)\s+\[(\S+)\]\s+(.*\S)"),
    "start": re.compile(r"^# (?:Collective test starting|Command): (?:\S*/)?(\w+)_perf"),
    "settings": re.compile(r"^# nThread (\d+) nGpus (\d+) .*warmup iters: (\d+) iters: (\d+)"),
    "end": re.compile(r"^# Out of bounds values : (\d+)"),
    "tool": re.compile(r"^# ([nr]ccl-tests) version (\S+)"),
    "counters": re.compile(r"^# counters "),
}
VERSION = re.compile(r"\b[NR]CCL version (\d[\w.]*)")
LIBRARY_CODE = re.compile(r"[nr]ccl-library=(\d+)")
REMEMBERED = 1024
"""Number of parsed lines that are cached, some hundreds of bytes each."""


class Line(NamedTuple):
    """One line.

    The first pattern that matches gives its kind: `elided` ends the list of a process whose ranks take more than 2,048
    letters, and may interrupt a rank (nccl-tests, src/util.cu, ``MAX_LINE``).
    """

    kind: Kind
    words: tuple[str, ...]
    """Groups of the pattern of its kind."""
    version: str = ""
    """Version of the library, if the line names it."""
    coded: str = ""
    """Version of the library with which the tool was built, from its number."""


NOTHING = Line("other", ())


@lru_cache(maxsize=REMEMBERED)
def read(line: str) -> Line:
    """Parse a line; `NOTHING` itself for a line without information."""
    version, coded = _version(line), _coded(line)
    for kind, pattern in PATTERNS.items():
        if match := pattern.match(line):
            return Line(kind, match.groups(), version, coded)
    return Line("other", (), version, coded) if version or coded else NOTHING


def _version(line: str) -> str:
    match = VERSION.search(line) if "CCL version" in line else None
    return match[1] if match else ""


def _coded(line: str) -> str:
    """Version from NCCL_VERSION_CODE: 10000 major + 100 minor + patch since 2.9 (nccl.h); empty without one."""
    match = LIBRARY_CODE.search(line) if "ccl-library=" in line else None
    code = int(match[1]) if match else 0
    return f"{code // 10000}.{code // 100 % 100}.{code % 100}" if match else ""
