"""Many names of nodes as one word, the way Slurm and ClusterShell write and read them: ``train-[001-004,007]``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

NAME = re.compile(r"(?P<before>.*?)(?P<digits>\d*)(?P<after>\D*)", re.DOTALL)
"""The last number of a name is what a list of them counts."""


def hostlist(names: Iterable[str]) -> str:
    """`names`, each once. Names that differ in their last number alone, written with as many digits, are one word."""
    alike: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    for name in names:
        found = NAME.fullmatch(name)
        assert found is not None, name  # every text is something, digits and something without digits
        alike[found["before"], found["after"], len(found["digits"])].add(found["digits"])
    return ",".join(f"{before}{_counted(sorted(digits))}{after}" for (before, after, _), digits in alike.items())


def _counted(digits: Sequence[str]) -> str:
    """Numbers of as many digits, in order."""
    if len(digits) == 1:
        return digits[0]
    runs: list[list[str]] = []
    for one in digits:
        if runs and int(one) == int(runs[-1][-1]) + 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    return f"[{','.join(run[0] if len(run) == 1 else f'{run[0]}-{run[-1]}' for run in runs)}]"
