"""Writes many names as one host list, as Slurm reads it: ``train-[001-031,033]``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NUMBERED = re.compile(r"^(.*?)(\d+)$")


def hostlist(names: Iterable[str]) -> str:
    """All names once, in the order of their prefixes; numbers of one width and prefix become ranges.

    Names of different widths stay apart (``[001-999,1000-1024]``), because the width of a range is that of its start.
    """
    groups: dict[str, dict[int, set[int]]] = {}
    plain: list[str] = []
    for name in dict.fromkeys(names):
        match = _NUMBERED.match(name)
        if match is None:
            plain.append(name)
        else:
            groups.setdefault(match[1], {}).setdefault(len(match[2]), set()).add(int(match[2]))
    return ",".join([*plain, *(_group(prefix, widths) for prefix, widths in groups.items())])


def _group(prefix: str, widths: dict[int, set[int]]) -> str:
    ranges = [text for width in sorted(widths) for text in _ranges(sorted(widths[width]), width)]
    alone = len(ranges) == 1 and "-" not in ranges[0]
    return f"{prefix}{ranges[0]}" if alone else f"{prefix}[{','.join(ranges)}]"


def _ranges(numbers: Sequence[int], width: int) -> Iterable[str]:
    first = last = numbers[0]
    for number in [*numbers[1:], numbers[-1] + 2]:
        if number == last + 1:
            last = number
            continue
        yield f"{first:0{width}d}" if first == last else f"{first:0{width}d}-{last:0{width}d}"
        first = last = number
