"""Prints collectives as hccl_test does, in the sections of our driver."""

from rackwright.model.evidence.collective import Collective, CollectiveRow, NodeCollectives

NAMES = {"all_to_all": "alltoall"}
HEADER = "data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:"


def render(seen: NodeCollectives) -> bytes:
    """The output whose parse is `seen`."""
    return "".join(_section(one) for one in seen.results).encode()


def _section(one: Collective) -> str:
    head = f"# Command: {NAMES.get(one.collective, one.collective)}_test -b 16M -e 8G -f 8 -p {len(one.ranks)} -c 1"
    ranks = [f"# rank {rank.rank} {rank.node} {rank.product_name} {rank.device}" for rank in one.ranks]
    settings = (
        f"the minbytes is 16777216, maxbytes is 8589934592, iters is {one.iterations}, warmup_iters is {one.warmup}"
    )
    return "\n".join([head, *ranks, settings, HEADER, *(_row(row) for row in one.rows), ""])


def _row(row: CollectiveRow) -> str:
    said = "NULL" if row.wrong is None else "failed" if row.wrong else "success"
    return f"{row.bytes} | {row.microseconds!r} | {row.algbw_gbytes_per_s!r} | {said}"
