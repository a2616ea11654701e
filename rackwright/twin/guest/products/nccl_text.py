"""Collectives as nccl-tests and rccl-tests print them with ``NCCL_DEBUG=INFO``: what is proven of each rank, and the table.

Printed forms: NVIDIA/nccl-tests 2.17 src/common.cu; NVIDIA/nccl 2.27
src/transport/*.cc and src/enqueue.cc. It stands among the programs of the hosts, because those print it too.
"""

from __future__ import annotations

from typing import Any

Data = dict[str, Any]
PROGRAMS = {"all_to_all": "alltoall"}
PROCESS = 4242
BEGIN = 1000
"""Where counters of the twin stand before a test."""
HEADER = """\
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""


def text(results: list[Data]) -> str:
    """The output of several runs, one after the other."""
    return "".join(run(result) for result in results)


def run(result: Data) -> str:
    """The output of one run."""
    tool, _, version = result["tool"].partition(" ")
    name = PROGRAMS.get(result["collective"], result["collective"])
    lines = [f"# {tool} version {version}"] if version else []
    lines.append(f"# Collective test starting: {name}_perf")
    lines += _counters(result, "before")
    if result["iterations"] is not None:
        sizes = sorted({row["bytes"] for row in result["rows"]})
        per = len(result["ranks"]) // max(1, len(result["nodes"]))
        lines.append(
            f"# nThread 1 nGpus {per} minBytes {sizes[0]} maxBytes {sizes[-1]} step: 8(factor) "
            f"warmup iters: {result['warmup']} iters: {result['iterations']} agg iters: 1 validation: 1 graph: 0"
        )
    lines += ["#", "# Using devices", *(_device(rank) for rank in result["ranks"])]
    if result["library_version"]:
        lines.append(f"{result['library'].upper()} version {result['library_version']}")
    lines += _debug(result)
    rows = _table(result)
    wrong = sum(row["wrong"] or 0 for row in result["rows"])
    end = [
        f"# Out of bounds values : {wrong} {'FAILED' if wrong else 'OK'}",
        f"# Collective test concluded: {name}_perf",
        *_counters(result, "after"),
        "",
    ]
    return "\n".join(lines) + "\n" + HEADER + "\n".join([*rows, *end])


def of_task(printed: str, nodes: list[str], task: int) -> str:
    """Output of one task: the debug lines of its library, the counters of our driver and, for task 0, everything else."""
    begins = {node: (f"{node}:", f"# counters node={node} ") for node in nodes}
    spoken = {node: [line for line in printed.splitlines() if line.startswith(begins[node])] for node in nodes}
    of_others = {line for node in nodes if node != nodes[task] for line in spoken[node]}
    lines = [line for line in printed.splitlines() if line not in of_others] if not task else spoken[nodes[task]]
    return "\n".join([*lines, ""])


def _counters(result: Data, when: str) -> list[str]:
    """Counter lines that our driver prints on every node, before and after the program, in words of four bytes; one that ran backwards ends at 0."""
    nodes: dict[str, list[str]] = {}
    for port in result.get("ports", []):
        ends = [_word(port[name], when) for name in ("sent_bytes", "received_bytes")]
        nodes.setdefault(port["node"], []).append(f"{port['adapter']}={ends[0]},{ends[1]}")
    return [f"# counters node={node} when={when} {' '.join(ports)}" for node, ports in nodes.items()]


def _word(moved: int | None, when: str) -> int:
    if when == "before":
        return BEGIN
    return 0 if moved is None else BEGIN + moved // 4


def _device(rank: Data) -> str:
    return f"#  Rank {rank['rank']:2} Group  0 Pid {PROCESS:6} on {rank['node']} device {rank['device']:2} [{rank['pci_bus_id']}] {rank['product_name']}"


def _debug(result: Data) -> list[str]:
    """The lines of the library: adapters of each host, multicast, channels, the tuner's choice."""
    lines = []
    for node in result["nodes"]:
        local_ranks = [rank for rank in result["ranks"] if rank["node"] == node]
        lines += _adapters(node, local_ranks)
    for rank in result["ranks"]:
        if "nvls" in rank["transports"]:
            lines.append(
                _log_line(rank, f"NVLS multicast support is available on dev {rank['device']} (NVLS_NCHANNELS 16)")
            )
        lines += [_log_line(rank, line) for line in _channels(rank, result["ranks"])]
    if result["algorithm"]:
        largest = max(row["bytes"] for row in result["rows"])
        chosen = f"{largest} Bytes -> Algo {result['algorithm']} proto {result['protocol']} channel{{Lo..Hi}}={{0..15}}"
        lines.append(_log_line(result["ranks"][0], chosen))
    return lines


def _log_line(rank: Data, words: str) -> str:
    return f"{rank['node']}:{PROCESS}:{PROCESS + rank['rank']} [{rank['device']}] NCCL INFO {words}"


def _names(ranks: list[Data]) -> list[str]:
    return list(dict.fromkeys(name for rank in ranks for name in rank["adapters"]))


def _adapters(node: str, ranks: list[Data]) -> list[str]:
    kind = "RoCE" if any("roce" in rank["transports"] for rank in ranks) else "IB"
    listed = " ".join(f"[{number}]{name}:1/{kind}" for number, name in enumerate(_names(ranks)))
    return (
        [f"{node}:{PROCESS}:{PROCESS} [0] NCCL INFO NET/IB : Using {listed} [RO]; OOB eth0:10.0.0.1<0>"]
        if listed
        else []
    )


def _channels(rank: Data, everyone: list[Data]) -> list[str]:
    """One channel per way that the rank takes."""
    near = [peer for peer in everyone if peer["node"] == rank["node"]]
    far = [peer for peer in everyone if peer["node"] != rank["node"]] or near
    beside, away = near[(near.index(rank) + 1) % len(near)], far[0]
    numbers = {name: number for number, name in enumerate(_names(near))}
    direct = "/GDRDMA" if rank["gpudirect"] else ""
    vias = []
    for way in rank["transports"]:
        if way in ("p2p", "shm", "other"):
            vias.append((beside, {"p2p": "P2P/CUMEM", "shm": "SHM/direct/direct", "other": "DIRECT"}[way], ""))
        elif way == "mnnvl":
            vias.append((away, "P2P/MNNVL", ""))
        elif way in ("infiniband", "roce"):
            vias += [(away, f"NET/IB/{numbers[name]}{direct}", " [send]") for name in rank["adapters"]]
        elif way in ("socket", "efa"):
            vias.append((away, ("NET/Socket/0" if way == "socket" else "NET/AWS Libfabric/0") + direct, " [send]"))
    return [
        f"Channel {number:02}/0 : {rank['rank']}[{rank['device']}] -> {peer['rank']}[{peer['device']}]{side} via {via}"
        for number, (peer, via, side) in enumerate(vias)
    ]


def _table(result: Data) -> list[str]:
    reduces = result["collective"] in ("all_reduce", "reduce_scatter")
    sizes = sorted({row["bytes"] for row in result["rows"]})
    lines = []
    for size in sizes:
        ways = sorted((row for row in result["rows"] if row["bytes"] == size), key=lambda row: row["in_place"])
        cells = "  ".join(_cells(row) for row in ways)
        lines.append(f" {size} {size // 4} {result['datatype']} {'sum' if reduces else 'none'} -1 {cells}")
    return lines


def _cells(row: Data) -> str:
    wrong = "N/A" if row["wrong"] is None else str(row["wrong"])
    return f"{row['microseconds']!r} {row['algbw_gbytes_per_s']!r} {row['busbw_gbytes_per_s']!r} {wrong}"
