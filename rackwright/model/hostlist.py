"""Reads host lists as Slurm writes them: ``a-[001-002,004],b`` is a-001, a-002, a-004, b (scontrol(1), show hostnames)."""

from __future__ import annotations

import re
from collections.abc import Iterator

BRACKETS = re.compile(r"([^\[,]*)\[([^\]]*)\]([^,]*)")


def expand(hostlist: str) -> Iterator[str]:
    """The names of a host list, one after the other."""
    for part in re.findall(r"[^,\[\s]*\[[^\]]*\][^,\s]*|[^,\s]+", hostlist.strip()):
        match = BRACKETS.fullmatch(part)
        if match is None:
            yield part
            continue
        for run in match[2].split(","):
            first, _, last = run.partition("-")
            for number in range(int(first), int(last or first) + 1):
                yield f"{match[1]}{number:0{len(first)}}{match[3]}"
