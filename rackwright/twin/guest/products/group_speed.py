"""How fast a group of nodes is together: as fast as its slowest member.

The same code serves the programs of the hosts and the observers of the twin, so that both tell the same. The form of the site is made by
``twin/performance/collectives.py``; fields of a result are those of `Collective`.
"""

from __future__ import annotations

import hashlib
from typing import Any

Data = dict[str, Any]
GIB = 1 << 30
LARGE = {GIB: 0.9738, 8 * GIB: 1.0}
"""stas00/ml-engineering, H200 (read 2026-07-29): 463.6 GB/s at 1 GiB and 477.5 at 8 GiB."""
TCP = 3 / 489
"""NVIDIA/aicr issue 2683 (read 2026-07-29): 3 GB/s over TCP, 489 over RDMA on the same hardware."""
WITHOUT_GPUDIRECT = 300 / 720
"""imbue-ai/cluster-health host_validation/p2p_ib_test.py (read 2026-07-29): bounds without and with GPUDirect."""
HEADERS = 1.02
"""What headers of packets add."""
NOISE = 0.01
"""Healthy readings lie within this share below the figure."""


def noise(seed: int, *where: str) -> float:
    """A factor just below 1 that is always the same for the same place and seed."""
    digest = hashlib.sha256("/".join((str(seed), *where)).encode()).digest()
    return 1 - NOISE * digest[0] / 256


def result(site: Data, nodes: list[str], name: str) -> Data:
    """One collective on `nodes`; KeyError for a node that is not of the site."""
    members = {node: site["members"][node] for node in nodes}
    kind = site["kinds"][members[nodes[0]]["kind"]]
    domain = name in kind["domain"] and len({member["rack"] for member in members.values()}) == 1
    ranks: list[Data] = []
    for node, member in members.items():
        ranks += [_rank(len(ranks) + at, node, member, gpu, domain=domain) for at, gpu in enumerate(member["gpus"])]
    best = kind["domain"][name] if domain else _busbw(kind, name, len(ranks), len(nodes))
    remaining = min(_remaining_share(member, domain=domain) for member in members.values()) * _group_rate(members)
    wrong = sum(member["wrong"] for member in members.values())
    silent = all(member["silent"] for member in members.values())
    rows = [
        row(
            name,
            len(ranks),
            size,
            best * remaining * share * noise(site["seed"], *nodes, name, str(size)),
            wrong,
            in_place,
        )
        for size, share in LARGE.items()
        for in_place in (False, True)
    ]
    chosen = {"algorithm": "" if silent else "RING", "protocol": "" if silent else "SIMPLE"}
    facts = {"iterations": 20, "warmup": 1, "datatype": "float", **kind["facts"], **chosen}
    measured = {"collective": name, "nodes": nodes, "ranks": ranks, "rows": rows, **facts}
    return {**measured, "ports": [] if domain else _ports(measured, members)}


def _ports(measured: Data, members: dict[str, Data]) -> list[Data]:
    """Bytes that the ports of every node carried: its accelerators' share of all iterations, each through its own rails or the shared ones.

    In n ranks on k nodes an accelerator sends (k-1)/(n-1) of its bus bandwidth out of the node (stas00/ml-engineering, network/README.md).
    """
    ranks, nodes = len(measured["ranks"]), len(measured["nodes"])
    away = ranks - ranks / nodes if measured["collective"] == "all_to_all" else nodes - 1
    each = sum(row["microseconds"] * 1e3 * row["busbw_gbytes_per_s"] for row in measured["rows"]) * away / (ranks - 1)
    each *= measured["iterations"] * HEADERS
    ports = []
    for node, member in sorted(members.items()):
        sent = dict.fromkeys(member["rails"], 0.0)
        for gpu in () if member["tcp"] else member["gpus"]:
            adapters = [member["through"].get(name, name) for name in gpu["adapters"]]
            for name in adapters:
                sent[name] += each / len(adapters)
        for name in sorted(sent):
            moved = int(sent[name]) // 4 * 4
            ports.append({"node": node, "adapter": name, "sent_bytes": moved, "received_bytes": moved})
    return ports


def _busbw(kind: Data, name: str, ranks: int, nodes: int) -> float:
    """Bus bandwidth at which the share of the network of each accelerator equals that of a healthy one."""
    wire: float = kind["wire"][name].get(str(nodes), kind["wire"][name][""])
    away = ranks - ranks / nodes if name == "all_to_all" else nodes - 1
    return wire * (ranks - 1) / away


def _remaining_share(member: Data, *, domain: bool) -> float:
    """Share of the healthy speed that a group keeps with this node in it."""
    inside: float = member["inside"]
    if domain:
        return inside
    network: float = min(inside, member["slowest_rail"])
    return network * (TCP if member["tcp"] else 1.0) * (1.0 if member["direct"] else WITHOUT_GPUDIRECT)


def _group_rate(members: dict[str, Data]) -> float:
    shares = [share for member in members.values() for peer, share in member["slow_with"].items() if peer in members]
    return min(shares, default=1.0)


def _rank(number: int, node: str, member: Data, gpu: Data, *, domain: bool) -> Data:
    network = [] if domain else ["socket" if member["tcp"] else member["network"]]
    ways = ["mnnvl", "p2p"] if domain else ["p2p"]
    adapters = [] if domain or member["tcp"] or member["silent"] else gpu["adapters"]
    return {
        "rank": number,
        "node": node,
        "device": gpu["device"],
        "pci_bus_id": gpu["pci_bus_id"],
        "product_name": gpu["product_name"],
        "transports": [] if member["silent"] else sorted([*ways, *network]),
        "adapters": adapters,
        "gpudirect": None if domain or member["silent"] else gpu["direct"] and not member["tcp"],
    }


def row(name: str, ranks: int, size: int, busbw: float, wrong: int, in_place: bool) -> Data:
    """One row of the table: time and algorithm bandwidth that go with a bus bandwidth (nccl-tests doc/PERFORMANCE.md)."""
    factor = (2 if name == "all_reduce" else 1) * (ranks - 1) / ranks if ranks > 1 else 1.0
    speed = round(busbw, 2)
    algbw = round(speed / factor, 2)
    return {
        "bytes": size,
        "in_place": in_place,
        "microseconds": round(size / max(algbw, 0.01) / 1000, 2),
        "algbw_gbytes_per_s": algbw,
        "busbw_gbytes_per_s": speed,
        "wrong": None if in_place and name == "all_to_all" else wrong,
    }
