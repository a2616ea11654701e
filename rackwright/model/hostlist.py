"""Host lists as Slurm and ClusterShell write them: ``train-[001-004,007],login1`` (scontrol(1), show hostnames)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from rackwright.base.errors import UsageError

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_._:-]*[A-Za-z0-9])?")
"""A host name or an address."""
PART = re.compile(r"(?:[^,\[\]]|\[[^\[\]]*\])+")
BRACKET = re.compile(r"\[([^\[\]]*)\]")
RANGE = re.compile(r"(\d+)(?:-(\d+))?")
NUMBERED = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)
"""Ranges are written over the last number of a name."""
MOST = 100_000
"""A list of more hosts is a typing error."""


def expand_hosts(words: Iterable[str]) -> list[str]:
    """The hosts of all `words`, each once, in their order. Raises UsageError that names the first mistake."""
    hosts: dict[str, None] = {}
    for word in words:
        for host in expand(word):
            hosts[host] = None
            if len(hosts) > MOST:
                raise UsageError(f"{word}: more than {MOST:,} hosts; is a range too long?")
    return list(hosts)


def expand(hostlist: str) -> Iterator[str]:
    """The hosts of a list, one after the other. Raises UsageError at the first mistake."""
    for part in _parts(hostlist):
        yield from _expand(part, hostlist)


def _parts(hostlist: str) -> list[str]:
    """The members of a list, split at the commas outside brackets. Raises UsageError for an empty name or an unmatched bracket."""
    if hostlist.count("[") != hostlist.count("]") or re.search(r"\[[^\]]*\[|\][^\[]*\]", hostlist):
        raise UsageError(f"{hostlist}: a bracket has no partner; write host lists as train-[001-004,007]")
    parts = PART.findall(hostlist)
    if not parts or len(parts) != len(re.sub(r"\[[^\]]*\]", "", hostlist).split(",")):
        raise UsageError(
            f"{hostlist or repr(hostlist)}: a name is empty; write host lists as train-[001-004,007],login1"
        )
    return parts


def _expand(part: str, hostlist: str) -> Iterator[str]:
    match = BRACKET.search(part)
    if match is None:
        if not NAME.fullmatch(part):
            raise UsageError(f"{hostlist}: {part!r} is not a host name; names have letters, digits, dots and hyphens")
        yield part
        return
    for run in match[1].split(","):
        for number in _numbers(run, hostlist):
            yield from _expand(f"{part[: match.start()]}{number}{part[match.end() :]}", hostlist)


def _numbers(run: str, hostlist: str) -> Iterator[str]:
    """The numbers of a range such as ``001-004``, padded to the width of the first. Raises UsageError for anything else."""
    match = RANGE.fullmatch(run.strip())
    if match is None:
        raise UsageError(f"{hostlist}: [{run}] is not a range; write numbers as 001-004 or 001,003")
    first, last = match[1], match[2] or match[1]
    if int(last) < int(first):
        raise UsageError(f"{hostlist}: range {run} runs backwards; write {last}-{first}")
    if int(last) - int(first) >= MOST:
        raise UsageError(f"{hostlist}: range {run} has more than {MOST:,} hosts")
    for number in range(int(first), int(last) + 1):
        yield f"{number:0{len(first)}d}"


def fold_hosts(hosts: Iterable[str], suffixes: bool = True) -> str:
    """`hosts` as one list, each once, in their order: the inverse of `expand_hosts`.

    Names that differ only in their last number form ranges. Numbers of different widths stay apart (``a-[001-999],a-[1000-1024]``), because the
    width of a range is that of its start. Without `suffixes` only names that end in their number do: Slurm's own files take no range
    before the end of a name (slurm.conf(5), NodeName).
    """
    groups: dict[tuple[str, str, int], set[int]] = {}
    for host in hosts:
        match = None if is_address(host) else NUMBERED.fullmatch(host)
        head, digits, tail = match.groups() if match and (suffixes or not match[3]) else (host, "", "")
        numbers = groups.setdefault((head, tail, len(digits)), set())
        if digits:
            numbers.add(int(digits))
    return ",".join(f"{head}{_ranges(numbers, width)}{tail}" for (head, tail, width), numbers in groups.items())


def _ranges(numbers: set[int], width: int) -> str:
    runs = []
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        members = [f"{number:0{width}d}" for _, number in run]
        runs.append(members[0] if len(members) == 1 else f"{members[0]}-{members[-1]}")
    return f"[{','.join(runs)}]" if len(numbers) > 1 else "".join(runs)


def is_address(host: str) -> bool:
    """Whether `host` is an IP address and no name."""
    return bool(re.fullmatch(r"[0-9.]+|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*", host))


def short_name(host: str) -> str:
    """A host name without its domain."""
    return host if is_address(host) else host.partition(".")[0]


def natural_key(host: str) -> tuple[tuple[str, int], ...]:
    """Sort key that compares the numbers in host names as numbers: gpu2 before gpu10."""
    return tuple((text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", host))
