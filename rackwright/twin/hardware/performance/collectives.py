"""Collectives among the accelerators of one node, as the libraries would reach and print them.

The curve over sizes is the one that stas00/ml-engineering (network, read 2026-07-29) measured on H200: 219.9, 401.9, 463.6 and 477.5 GB/s at
16 MiB, 128 MiB, 1 GiB and 8 GiB.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rackwright import compare
from rackwright.compare.parts import GIB
from rackwright.model.design import Design
from rackwright.model.evidence.collective import Collective, CollectiveRow, Rank, Transport
from rackwright.twin.guest.products import group_speed
from rackwright.twin.hardware.performance import model
from rackwright.twin.hardware.performance.members import (
    LIBRARIES,
    RELEASES,
    VERSIONS,
    Member,
    Name,
    accelerator,
    member,
)
from rackwright.twin.hardware.state import Gpu, State

INSIDE: tuple[Name, ...] = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")
MIB = 1 << 20
CURVE = {16 * MIB: 0.4605, 128 * MIB: 0.8417, GIB: 0.9738, 8 * GIB: 1.0}
ONE_FEWER = 0.96
"""stas00/ml-engineering, H200: 460.0 with seven GPUs against 477.5 with eight."""


def inside(state: State, design: Design, node: str) -> list[Collective]:
    """Records of the collectives among the accelerators of one node."""
    host = member(state, design, node)
    return [_in_node_collective(state, host, name) for name in INSIDE]


def _in_node_collective(state: State, host: Member, name: Name) -> Collective:
    way = _way(host, name)
    gpus = model.usable_gpus(host.machine)
    key = {"collective": name, "nodes": "1", "size": "8GiB", "transport": "p2p" if way == "shm" else way}
    best = model.most(host.about, "collective.busbw_gbytes_per_s", model.between(host.about), **key)
    share = model.HOST_MEMORY if way == "shm" else min(model.links(host.machine, gpu) for gpu in gpus)
    share *= ONE_FEWER ** (len(host.machine.gpus) - len(gpus))
    ways: list[Transport] = ["nvls", "p2p"] if way == "nvls" else [way]
    chosen = {"algorithm": "NVLS" if way == "nvls" else "RING", "protocol": "SIMPLE"}
    ranks = [_rank(host, number, gpu, ways) for number, gpu in enumerate(gpus)]
    return _result(state, host, name, ranks, best * share, chosen)


def _way(host: Member, name: Name) -> Transport:
    """The transport between accelerators of one node for a collective."""
    cut_off = any(gpu.nvlinks and not any(gpu.nvlinks) for gpu in model.usable_gpus(host.machine))
    if cut_off or not host.machine.performance.peers:
        return "shm"
    row = compare.limit(host.about, "collective.transport", collective=name)
    best = compare.words(row)[0] if row else "p2p"
    return "nvls" if best == "nvls" and host.machine.performance.multicast else "p2p"


def _rank(host: Member, number: int, gpu: Gpu, ways: Sequence[Transport]) -> Rank:
    device = accelerator(host, gpu)
    silent = host.machine.performance.silent_log
    return Rank(
        rank=number,
        node=host.machine.node,
        device=gpu.index,
        pci_bus_id=device["pci_bus_id"],
        product_name=gpu.product_name,
        transports=[] if silent else sorted(ways),
        adapters=[],
        gpudirect=None,
    )


def _result(
    state: State, host: Member, name: Name, ranks: list[Rank], speed: float, chosen: dict[str, str]
) -> Collective:
    part = host.about.node.accelerator
    library = LIBRARIES.get(part.vendor if part else "", "nccl")
    silent, wrong = host.machine.performance.silent_log, host.machine.performance.wrong_elements
    facts: dict[str, Any] = {"algorithm": "", "protocol": ""} if silent else chosen
    node = host.machine.node
    rows = [
        group_speed.row(
            name, len(ranks), size, speed * share * model.noise(state, node, name, str(size)), wrong, in_place
        )
        for size, share in CURVE.items()
        for in_place in (False, True)
    ]
    return Collective(
        collective=name,
        nodes=[node],
        ranks=ranks,
        library=library,  # type: ignore[arg-type]
        library_version=RELEASES[library],
        tool=VERSIONS[library],
        iterations=20,
        warmup=1,
        datatype="float",
        rows=[CollectiveRow.model_validate(row) for row in rows],
        **facts,
    )


def ascend(results: Sequence[Collective]) -> list[Collective]:
    """The record of hccl_test: algorithm bandwidth out of place; the counters beside it prove the links, or that none was used."""
    return [_ascend(result) for result in results]


def _ascend(result: Collective) -> Collective:
    factor = (2 if result.collective == "all_reduce" else 1) * (len(result.ranks) - 1) / len(result.ranks)
    ranks = [
        rank.model_copy(
            update={
                "transports": ["p2p" if way == "p2p" else "other" for way in rank.transports],
                "adapters": [],
                "gpudirect": None,
                "pci_bus_id": "",
            }
        )
        for rank in result.ranks
    ]
    rows = [
        row.model_copy(update={"busbw_gbytes_per_s": row.algbw_gbytes_per_s * factor, "wrong": min(1, row.wrong or 0)})
        for row in result.rows
        if not row.in_place
    ]
    facts = {
        "library": "hccl",
        "library_version": "",
        "tool": "hccl_test",
        "datatype": "fp32",
        "algorithm": "",
        "protocol": "",
    }
    return result.model_copy(update={"ranks": ranks, "rows": rows, **facts})
