"""Many node names as one word, in the syntax of Slurm and ClusterShell: ``train-[001-004,007]``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

NAME = re.compile(r"(?P<before>.*?)(?P<digits>\d*)(?P<after>\D*)", re.DOTALL)
"""Lists are built over the last number of a name."""


def hostlist(names: Iterable[str]) -> str:
    """`names` without duplicates. Names that differ only in their last number, with equally many digits, form one word."""
    alike: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    for name in names:
        match = NAME.fullmatch(name)
        assert match is not None, name  # every text is something, digits and something without digits
        alike[match["before"], match["after"], len(match["digits"])].add(match["digits"])
    return ",".join(f"{before}{_number_ranges(sorted(digits))}{after}" for (before, after, _), digits in alike.items())


def _number_ranges(digits: Sequence[str]) -> str:
    """Numbers with equally many digits, in order."""
    if len(digits) == 1:
        return digits[0]
    runs: list[list[str]] = []
    for number in digits:
        if runs and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return f"[{','.join(run[0] if len(run) == 1 else f'{run[0]}-{run[-1]}' for run in runs)}]"
