"""Host lists as Slurm writes them (``train-[001-004,007],login1``), with every mistake named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from rackwright.base.errors import UsageError

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?")
"""A host name or an address."""
PART = re.compile(r"(?:[^,\[\]]|\[[^\[\]]*\])+")
BRACKET = re.compile(r"\[([^\[\]]*)\]")
RANGE = re.compile(r"(\d+)(?:-(\d+))?")
NUMBER = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)
MOST = 100_000
"""A list of more hosts is a typing error."""


def expand_hosts(words: Iterable[str]) -> list[str]:
    """The hosts of all `words`, each once, in their order. Raises UsageError that names the first mistake."""
    hosts: dict[str, None] = {}
    for word in words:
        for part in _parts(word):
            for host in _expand(part, word):
                hosts[host] = None
                if len(hosts) > MOST:
                    raise UsageError(f"{word}: more than {MOST:,} hosts; is a range too long?")
    return list(hosts)


def _parts(word: str) -> list[str]:
    """The members between commas outside brackets."""
    if word.count("[") != word.count("]") or re.search(r"\[[^\]]*\[|\][^\[]*\]", word):
        raise UsageError(f"{word}: a bracket has no partner; write host lists as train-[001-004,007]")
    parts = PART.findall(word)
    if not parts or len(parts) != len(re.sub(r"\[[^\]]*\]", "", word).split(",")):
        raise UsageError(f"{word or repr(word)}: a name is empty; write host lists as train-[001-004,007],login1")
    return parts


def _expand(part: str, word: str) -> Iterator[str]:
    match = BRACKET.search(part)
    if match is None:
        if not NAME.fullmatch(part):
            raise UsageError(f"{word}: {part!r} is not a host name; names have letters, digits, dots and hyphens")
        yield part
        return
    for run in match[1].split(","):
        for number in _numbers(run, word):
            yield from _expand(f"{part[: match.start()]}{number}{part[match.end() :]}", word)


def _numbers(run: str, word: str) -> Iterator[str]:
    """The numbers of ``001-004``, as wide as the first of them."""
    match = RANGE.fullmatch(run.strip())
    if match is None:
        raise UsageError(f"{word}: [{run}] is not a range; write numbers as 001-004 or 001,003")
    first, last = match[1], match[2] or match[1]
    if int(last) < int(first):
        raise UsageError(f"{word}: range {run} runs backwards; write {last}-{first}")
    if int(last) - int(first) >= MOST:
        raise UsageError(f"{word}: range {run} has more than {MOST:,} hosts")
    for number in range(int(first), int(last) + 1):
        yield f"{number:0{len(first)}d}"


def fold_hosts(hosts: Iterable[str]) -> str:
    """`hosts` as one list, names that differ only in their last number as ranges: the inverse of `expand_hosts`."""
    groups: dict[tuple[str, str, int], set[int]] = {}
    plain: dict[str, None] = {}
    for host in hosts:
        match = None if is_address(host) else NUMBER.fullmatch(host)
        if match is None:
            plain[host] = None
        else:
            groups.setdefault((match[1], match[3], len(match[2])), set()).add(int(match[2]))
    folded = [f"{head}{_number_ranges(numbers, width)}{tail}" for (head, tail, width), numbers in groups.items()]
    return ",".join([*folded, *plain])


def _number_ranges(numbers: set[int], width: int) -> str:
    runs = []
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        first, last = f"{members[0]:0{width}d}", f"{members[-1]:0{width}d}"
        runs.append(first if first == last else f"{first}-{last}")
    return runs[0] if len(runs) == 1 and "-" not in runs[0] else f"[{','.join(runs)}]"


def is_address(host: str) -> bool:
    """Whether `host` is an IP address and no name."""
    return bool(re.fullmatch(r"[0-9.]+|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*", host))


def short_name(host: str) -> str:
    """A host name without its domain."""
    return host if is_address(host) else host.partition(".")[0]


def natural_key(host: str) -> tuple[tuple[str, int], ...]:
    """Sorts hosts by their numbers: gpu2 before gpu10."""
    return tuple((text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", host))
