"""Runs of nccl-tests and rccl-tests, with the debug lines of the library between: table, ranks, and what proves their paths.

Shapes: NVIDIA/nccl-tests 2.10 to 2.19 (src/common.cu, src/util.cu; up to 2.11 src/all_reduce.cu and its sisters), ROCm/rccl-tests, and the lines of NVIDIA/nccl 2.18 to 2.30
(src/transport/net_ib.cc, p2p.cc, nvls.cc, src/enqueue.cc). A run whose end is missing is refused: a partial log proves nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from rackwright.base.finite_number import finite
from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import node_ports
from rackwright.collect.loadlogs.nccl_log import Log, logs
from rackwright.collect.loadlogs.nccl_paths import NcclPaths, Proof
from rackwright.model.evidence.collective import Collective, CollectiveRow, Collectives, NodeCollectives, Rank

NAMES = {
    "all_reduce": "all_reduce", "all_gather": "all_gather", "reduce_scatter": "reduce_scatter",
    "alltoall": "all_to_all", "broadcast": "broadcast", "sendrecv": "sendrecv",
}  # fmt: skip
"""Name of the program without ``_perf`` -> collective."""
WAYS = ((-8, False), (-4, True))
"""First column of each half of a row, counted from the right, and whether the half is the in-place one."""
DATATYPE = 2
SHARED = 64
"""Ranks cached for the next run: those of one node and its transports.

More would only cost memory, since no other node names them.
"""

OWN_LINES = (r"(\S+?):\d+:\d+ \[\d+\] [NR]CCL ", r"# counters node=(\S+) when=")
"""Patterns of lines that a node prints about itself (`collector.Collector`)."""
FIRST_LINES = (r"#(?! counters | task )", r"\s*\d+\s+\d+\s")
"""Patterns of lines that the first rank prints for all: everything after ``#``, and the rows of the table (nccl-tests,
src/common.cu, ``PRINT``).
"""

Library = Literal["nccl", "rccl"]
SETTINGS = ("NCCL_DEBUG=INFO", "NCCL_DEBUG_SUBSYS=INIT,GRAPH,NET,P2P,NVLS,TUNING")
SIZES = ("-b", "1G", "-e", "8G", "-f", "8")


def in_node(library: Library, vendor: str) -> Collector:
    """The collector of collectives among the accelerators of one node."""
    return Collector(
        produces=NodeCollectives,
        parse=lambda output: NodeCollectives(results=runs(output, library)),
        seconds=900,
        roles=("accelerator",),
        command=("rackwright-burn", library),
        vendors=(vendor,),
        load=True,
        place=6,
    )


def across_nodes(library: Library, vendor: str) -> Collector:
    """The collector of collectives over several nodes; the caller fills in the braces of its command."""
    return Collector(
        produces=Collectives,
        parse=lambda output: Collectives(results=runs(output, library)),
        seconds=600,
        roles=("accelerator",),
        command=("sh", "-c", node_ports.COUNTED, "env", *SETTINGS, "{collective}_perf", *SIZES, "-g", "{accelerators}"),
        scope="group",
        own_lines=OWN_LINES,
        first_lines=FIRST_LINES,
        vendors=(vendor,),
        load=True,
    )


def runs(output: str, library: Library) -> list[Collective]:
    """Every run of `output`, in order. ParseError for an incomplete run, and for an output without a run."""
    results = [_run(log, library) for log in logs(output)]
    if not results:
        raise ParseError(1, output, "a run of nccl-tests (# Collective test starting: ...)")
    return results


def _run(log: Log, library: Library) -> Collective:
    if log.name not in NAMES:
        raise ParseError(log.first, log.lines[log.first - 1], f"one of {', '.join(NAMES)}")
    if not log.complete:
        raise ParseError(log.last, log.lines[log.last - 1], f"the end of {log.name}_perf (# Out of bounds values)")
    rows, ranks = [row for number, words in log.table for row in _rows(log, number, words)], log.ranks
    if not ranks or not rows:
        raise ParseError(log.first, log.lines[log.first - 1], "ranks and rows of the table")
    paths = NcclPaths((int(rank), host, int(device)) for rank, _, host, device, *_ in ranks)
    paths.read(log.messages)
    return Collective.unvalidated(
        collective=NAMES[log.name],
        nodes=list(dict.fromkeys(host for _, _, host, *_ in ranks)),
        ranks=[_rank(words[:1] + words[2:], paths.proof(int(words[0]))) for words in ranks],
        library=library,
        library_version=log.version or log.coded,
        tool=log.tool or f"{library}-tests",
        iterations=int(log.settings[3]) if log.settings else None,
        warmup=int(log.settings[2]) if log.settings else None,
        datatype=log.table[0][1][DATATYPE],
        algorithm=paths.algorithm,
        protocol=paths.protocol,
        rows=rows,
        ports=node_ports.read(log.counters),
    )


def _wrong(log: Log, cell: str) -> int | None:
    """Number of wrong values; None if they were not counted.

    Up to 2.11 the cell is the largest deviation (``2e-07``), and only the last line says whether a value is out of
    bounds.
    """
    if cell == "N/A":
        return None
    return int(cell) if cell.isdecimal() else log.wrong if finite(cell) else 0


@lru_cache(maxsize=SHARED)
def _rank(words: tuple[str, ...], proof: Proof) -> Rank:
    """One rank, cached: equal ranks of several runs share one record."""
    rank, node, device, place, product = words
    transports, adapters, gpudirect = proof
    return Rank.unvalidated(
        rank=int(rank),
        node=node,
        device=int(device),
        pci_bus_id=place.lower(),
        product_name=product,
        transports=[*transports],
        adapters=[*adapters],
        gpudirect=gpudirect,
    )


def _rows(log: Log, number: int, words: list[str]) -> list[CollectiveRow]:
    try:
        size = int(words[0])
        return [
            CollectiveRow.unvalidated(
                bytes=size,
                in_place=in_place,
                microseconds=finite(words[at]),
                algbw_gbytes_per_s=finite(words[at + 1]),
                busbw_gbytes_per_s=finite(words[at + 2]),
                wrong=_wrong(log, words[at + 3]),
            )
            for at, in_place in WAYS
        ]
    except (ValueError, OverflowError):
        expected = "time, algbw, busbw and #wrong that are numbers"
        raise ParseError(number, log.lines[number - 1], expected) from None
