"""Runs of nccl-tests and rccl-tests, with the debug lines of the library between: table, ranks, and what proves their paths.

In: standard output of one or more runs with ``NCCL_DEBUG=INFO`` and ``NCCL_DEBUG_SUBSYS=INIT,GRAPH,NET,P2P,NVLS,TUNING``. Out: one
`Collective` per run. Shapes: NVIDIA/nccl-tests 2.17 (src/common.cu), ROCm/rccl-tests, and the lines of NVIDIA/nccl 2.18 to 2.30
(src/transport/net_ib.cc, p2p.cc, nvls.cc, src/enqueue.cc). A run whose end is missing is refused: a partial log proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from rackwright.collect.collector import ParseError
from rackwright.collect.loadlogs import node_ports
from rackwright.collect.loadlogs.nccl_paths import Paths
from rackwright.model.evidence.collective import Collective, CollectiveRow, Rank

START = re.compile(r"^# (?:Collective test starting|Command): (?:\S*/)?(\w+)_perf")
SETTINGS = re.compile(r"^# nThread .*warmup iters: (\d+) iters: (\d+)")
RANK = re.compile(r"^#\s+Rank\s+(\d+)\s.*?\bon\s+(\S+)\s+device\s+(\d+)\s+\[(\S+)\]\s+(.+?)\s*$")
VERSION = re.compile(r"\b[NR]CCL version (\d[\w.]*)")
LIBRARY_CODE = re.compile(r"[nr]ccl-library=(\d+)")
TOOL = re.compile(r"^# ([nr]ccl-tests) version (\S+)")
END = re.compile(r"^# Out of bounds values : (\d+)")
NAMES = {
    "all_reduce": "all_reduce", "all_gather": "all_gather", "reduce_scatter": "reduce_scatter",
    "alltoall": "all_to_all", "broadcast": "broadcast", "sendrecv": "sendrecv",
}  # fmt: skip
"""Name of the program without ``_perf`` -> collective."""
COLUMNS = 13
"""size, count, type, redop, root, then time, algbw, busbw, #wrong out of place and in place."""

Lines = list[tuple[int, str]]


def runs(output: str, library: Literal["nccl", "rccl"]) -> list[Collective]:
    """Every run of `output`, in order. ParseError for a run that is not whole, and for an output without one."""
    found = [_run(lines, library) for lines in _split(output)]
    if not found:
        raise ParseError(1, output, "a run of nccl-tests (# Collective test starting: ...)")
    return found


def _split(output: str) -> Iterator[Lines]:
    """The lines of each run; what stands before the first run's name (versions) belongs to the run that follows."""
    before: Lines = []
    current: Lines = []
    for number, line in enumerate(output.splitlines(), 1):
        comment = line.startswith("#")
        if comment and START.match(line):
            if current and not any(
                RANK.match(said) for _, said in current
            ):  # our driver named it, and now the tool does
                current.append((number, line))
                continue
            if current:
                yield current
            current, before = [*before, (number, line)], []
        elif not current or (comment and TOOL.match(line)):
            before.append((number, line))
        else:
            current.append((number, line))
    if current:
        yield current


def _run(lines: Lines, library: Literal["nccl", "rccl"]) -> Collective:
    comments = [(n, line) for n, line in lines if line.startswith("#")]
    number, first = next((n, line) for n, line in comments if START.match(line))
    name = _must(START.match(first)).group(1)
    if name not in NAMES:
        raise ParseError(number, first, f"one of {', '.join(NAMES)}")
    if not any(END.match(line) for _, line in comments):
        raise ParseError(lines[-1][0], lines[-1][1], f"the end of {name}_perf (# Out of bounds values)")
    ranks = [match for _, line in comments if (match := RANK.match(line))]
    table = [(n, line, words) for n, line in lines if (words := _words(line))]
    rows = [row for one in table for row in _rows(*one)]
    if not ranks or not rows:
        raise ParseError(number, first, "ranks and rows of the table")
    paths = Paths([(int(m[1]), m[2], int(m[3])) for m in ranks])
    for _, line in lines:
        paths.read(line)
    settings = next((match for _, line in comments if (match := SETTINGS.match(line))), None)
    return Collective(
        **_facts(lines, library),
        collective=NAMES[name],  # type: ignore[arg-type]
        nodes=list(dict.fromkeys(match[2] for match in ranks)),
        ranks=[_rank(match, paths) for match in ranks],
        library=library,
        iterations=int(settings[2]) if settings else None,
        warmup=int(settings[1]) if settings else None,
        datatype=table[0][2][2],
        algorithm=paths.algorithm,
        protocol=paths.protocol,
        rows=rows,
        ports=node_ports.read(line for _, line in lines),
    )


def _facts(lines: Lines, library: str) -> dict[str, Any]:
    """Versions of the tool and of the library, as far as the output tells them."""
    tool, version = f"{library}-tests", ""
    for _, line in lines:
        if line.startswith("#") and (match := TOOL.match(line)):
            tool = f"{match[1]} {match[2]}"
        if "CCL version" in line and (match := VERSION.search(line)):
            version = match[1]
        elif not version and "ccl-library=" in line and (match := LIBRARY_CODE.search(line)):
            version = _decoded(int(match[1]))
    return {"tool": tool, "library_version": version}


def _decoded(code: int) -> str:
    """NCCL_VERSION_CODE: 10000 major + 100 minor + patch since 2.9 (nccl.h)."""
    return f"{code // 10000}.{code // 100 % 100}.{code % 100}"


def _rank(match: re.Match[str], paths: Paths) -> Rank:
    number = int(match[1])
    return Rank(
        rank=number,
        node=match[2],
        device=int(match[3]),
        pci_bus_id=match[4].lower(),
        product_name=match[5],
        transports=paths.transports(number),
        adapters=paths.adapters(number),
        gpudirect=paths.gpudirect(number),
    )


def _words(line: str) -> list[str]:
    if not line.lstrip()[:1].isdigit():  # most lines: no need to take them apart
        return []
    words = line.split()
    return words if len(words) == COLUMNS and words[0].isdigit() and words[1].isdigit() else []


def _rows(number: int, line: str, words: list[str]) -> list[CollectiveRow]:
    try:
        return [_row(int(words[0]), words[at : at + 4], in_place=at > 5) for at in (5, 9)]
    except ValueError:
        raise ParseError(number, line, "time, algbw, busbw and #wrong that are numbers") from None


def _row(size: int, words: list[str], *, in_place: bool) -> CollectiveRow:
    return CollectiveRow(
        bytes=size,
        in_place=in_place,
        microseconds=float(words[0]),
        algbw_gbytes_per_s=float(words[1]),
        busbw_gbytes_per_s=float(words[2]),
        wrong=None if words[3] == "N/A" else int(float(words[3])),
    )


def _must(match: re.Match[str] | None) -> re.Match[str]:
    assert match is not None
    return match
