"""What hccl_test prints on a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.collective import Collective, CollectiveRow, NodeCollectives
from rackwright.twin.hardware.performance import collectives
from rackwright.twin.hardware.state import State

ANSWERED = True
NAMES = {"all_to_all": "alltoall"}
FACTORS = {"all_reduce": 2}
BEGIN = 1000
LINKS = f"{'hccs link':<30} {'tx_bandwidth(GB/S)':<30} {'rx_bandwidth(GB/S)':<30}"
HEADER = "data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:"


def observe(state: State, design: Design, node: str) -> NodeCollectives:
    """Every collective among the accelerators that are there."""
    return NodeCollectives(results=collectives.ascend(collectives.inside(state, design, node)))


def render(record: NodeCollectives) -> bytes:
    """The output that the collector parses to `record`."""
    return "".join(_section(result) for result in record.results).encode()


def _section(result: Collective) -> str:
    head = f"# Command: {NAMES.get(result.collective, result.collective)}_test -b 16M -e 8G -f 8 -p {len(result.ranks)} -c 1"
    ranks = [f"# rank {rank.rank} {rank.node} {rank.product_name} {rank.device}" for rank in result.ranks]
    settings = f"the minbytes is 16777216, maxbytes is 8589934592, iters is {result.iterations}, warmup_iters is {result.warmup}"
    table = [settings, HEADER, *(_row(row) for row in result.rows)]
    return "\n".join([head, *ranks, *_ports(result, "before"), *table, *_ports(result, "after"), *_links(result), ""])


def _ports(result: Collective, when: str) -> list[str]:
    """What the network port of every rank has sent: nothing, but where the collective went that way."""
    factor = FACTORS.get(result.collective, 1) * (len(result.ranks) - 1) / len(result.ranks)
    moved = sum(row.bytes for row in result.rows) * factor * (result.iterations or 0)
    lines = []
    for rank in result.ranks:
        sent = int(moved) + 1 if rank.transports == ["roce"] and when == "after" else 0
        lines += [f"# port {when} {rank.rank}", f"mac_tx_total_oct_num:{BEGIN + sent}"] if rank.transports else []
    return lines


def _links(result: Collective) -> list[str]:
    """How fast the links were together: as fast as the collective, but where it went another way."""
    rate = max(result.rows, key=lambda row: row.bytes).busbw_gbytes_per_s
    lines = []
    for rank in result.ranks:
        speed = rate + 1 if rank.transports == ["p2p"] else 0.0
        table = [LINKS, f"{'total':<35} {speed:<30.6f} {speed:<30.6f}"]
        lines += [f"# hccs {rank.rank}", *table] if rank.transports else []
    return lines


def _row(row: CollectiveRow) -> str:
    check = "NULL" if row.wrong is None else "failed" if row.wrong else "success"
    return f"{row.bytes} | {row.microseconds!r} | {row.algbw_gbytes_per_s!r} | {check}"
