"""Collectives of the Ascend NPUs of one node: hccl_test of CANN, section by section (``# Command: all_reduce_test -p 8 ...``).

Shape: CANN hccl_test, ``data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:`` (the spelling is the tool's). It tells
*algorithm* bandwidth: bus bandwidth follows with the factors of NVIDIA/nccl-tests doc/PERFORMANCE.md. It says nothing of paths; what the driver
prints beside it does (`hccl`): bytes that each NPU's network port sent, and the rate of its HCCS links meanwhile.
"""

import re
from collections.abc import Callable

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import hccl
from rackwright.model.evidence.collective import Collective, CollectiveRow, NodeCollectives, Rank, Transport

START = re.compile(r"^# Command: (?:\S*/)?(\w+)_test\b.*? -p (\d+)")
RANK = re.compile(r"^# rank (\d+) (\S+) (.+) (\d+)$")
SETTINGS = re.compile(r"iters is (\d+), warmup_iters is (\d+)")
ROW = re.compile(r"^\s*(\d+)\s*\|\s*([\d.]+)\s*\|\s*([\d.]+)\s*\|\s*(success|failed|NULL)\s*$")
ANY_ROW = re.compile(r"^\s*\d+\s*\|")
NAMES = {
    "all_reduce": "all_reduce", "all_gather": "all_gather", "reduce_scatter": "reduce_scatter", "alltoall": "all_to_all",
}  # fmt: skip
FACTORS: dict[str, Callable[[int], float]] = {
    "all_reduce": lambda ranks: 2 * (ranks - 1) / ranks,
    "all_gather": lambda ranks: (ranks - 1) / ranks,
    "reduce_scatter": lambda ranks: (ranks - 1) / ranks,
    "all_to_all": lambda ranks: (ranks - 1) / ranks,
}


def parse(output: str) -> NodeCollectives:
    """Every section."""
    sections: list[tuple[int, list[str]]] = []
    for number, line in enumerate(output.splitlines(), 1):
        if START.match(line):
            sections.append((number, [line]))
        elif sections:
            sections[-1][1].append(line)
    if not sections:
        raise ParseError(1, output, "a section of hccl_test (# Command: all_reduce_test -p 8 ...)")
    return NodeCollectives(results=[_section(number, lines) for number, lines in sections])


def _section(number: int, lines: list[str]) -> Collective:
    start = START.match(lines[0])
    name = NAMES.get(start[1]) if start else None
    ranks = [match for line in lines if (match := RANK.match(line))]
    rows = [match for line in lines if (match := ROW.match(line))]
    odd = next((at for at, line in enumerate(lines) if ANY_ROW.match(line) and not ROW.match(line)), None)
    if odd is not None:
        raise ParseError(number + odd, lines[odd], "a size, a time, a bandwidth, and success, failed or NULL")
    if start is None or name is None or not rows or len(ranks) != int(start[2]):
        raise ParseError(number, lines[0], f"{', '.join(NAMES)} with its ranks and rows")
    settings = next((match for line in lines if (match := SETTINGS.search(line))), None)
    results = [_row(number, match, FACTORS[name](len(ranks))) for match in rows]
    iterations = int(settings[1]) if settings else None
    ways = hccl.transport_by_rank(lines, results, iterations, FACTORS[name](len(ranks)))
    return Collective(
        collective=name,  # type: ignore[arg-type]
        nodes=list(dict.fromkeys(match[2] for match in ranks)),
        ranks=[_rank(match, ways.get(int(match[1]))) for match in ranks],
        library="hccl",
        library_version="",
        tool="hccl_test",
        iterations=iterations,
        warmup=int(settings[2]) if settings else None,
        datatype="fp32",
        algorithm="",
        protocol="",
        rows=results,
    )


def _rank(match: re.Match[str], way: Transport | None) -> Rank:
    return Rank(
        rank=int(match[1]),
        node=match[2],
        device=int(match[4]),
        pci_bus_id="",
        product_name=match[3],
        transports=[way] if way else [],
        adapters=[],
        gpudirect=None,
    )


def _row(number: int, match: re.Match[str], factor: float) -> CollectiveRow:
    try:
        speed = float(match[3])
        return CollectiveRow(
            bytes=int(match[1]),
            in_place=False,
            microseconds=float(match[2]),
            algbw_gbytes_per_s=speed,
            busbw_gbytes_per_s=speed * factor,
            wrong={"success": 0, "failed": 1, "NULL": None}[match[4]],
        )
    except ValueError:
        raise ParseError(number, match[0], "a time and a bandwidth that are numbers") from None


COLLECTOR = Collector(
    produces=NodeCollectives,
    parse=parse,
    seconds=900,
    roles=("accelerator",),
    command=("rackwright-burn", "hccl"),
    vendors=("huawei",),
    load=True,
    place=6,
)
