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
    """What the accelerators of one node reach among themselves."""
    one = member(state, design, node)
    return [_inside(state, one, name) for name in INSIDE]


def _inside(state: State, one: Member, name: Name) -> Collective:
    way = _way(one, name)
    gpus = model.given(one.machine)
    key = {"collective": name, "nodes": "1", "size": "8GiB", "transport": "p2p" if way == "shm" else way}
    best = model.most(one.about, "collective.busbw_gbytes_per_s", model.between(one.about), **key)
    left = model.HOST_MEMORY if way == "shm" else min(model.links(one.machine, gpu) for gpu in gpus)
    left *= ONE_FEWER ** (len(one.machine.gpus) - len(gpus))
    ways: list[Transport] = ["nvls", "p2p"] if way == "nvls" else [way]
    chosen = {"algorithm": "NVLS" if way == "nvls" else "RING", "protocol": "SIMPLE"}
    ranks = [_rank(one, number, gpu, ways) for number, gpu in enumerate(gpus)]
    return _result(state, one, name, ranks, best * left, chosen)


def _way(one: Member, name: Name) -> Transport:
    """How accelerators of one node reach each other for a collective."""
    cut_off = any(gpu.nvlinks and not any(gpu.nvlinks) for gpu in model.given(one.machine))
    if cut_off or not one.machine.performance.peers:
        return "shm"
    row = compare.limit(one.about, "collective.transport", collective=name)
    best = compare.words(row)[0] if row else "p2p"
    return "nvls" if best == "nvls" and one.machine.performance.multicast else "p2p"


def _rank(one: Member, number: int, gpu: Gpu, ways: Sequence[Transport]) -> Rank:
    said = accelerator(one, gpu)
    silent = one.machine.performance.silent_log
    return Rank(
        rank=number,
        node=one.machine.node,
        device=gpu.index,
        pci_bus_id=said["pci_bus_id"],
        product_name=gpu.product_name,
        transports=[] if silent else sorted(ways),
        adapters=[],
        gpudirect=None,
    )


def _result(
    state: State, one: Member, name: Name, ranks: list[Rank], speed: float, chosen: dict[str, str]
) -> Collective:
    part = one.about.node.accelerator
    library = LIBRARIES.get(part.vendor if part else "", "nccl")
    silent, wrong = one.machine.performance.silent_log, one.machine.performance.wrong_elements
    facts: dict[str, Any] = {"algorithm": "", "protocol": ""} if silent else chosen
    node = one.machine.node
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
    """The same as hccl_test prints it: algorithm bandwidth out of place; counters beside it prove links, or that it was none of them."""
    return [_ascend(one) for one in results]


def _ascend(one: Collective) -> Collective:
    factor = (2 if one.collective == "all_reduce" else 1) * (len(one.ranks) - 1) / len(one.ranks)
    ranks = [
        rank.model_copy(
            update={
                "transports": ["p2p" if way == "p2p" else "other" for way in rank.transports],
                "adapters": [],
                "gpudirect": None,
                "pci_bus_id": "",
            }
        )
        for rank in one.ranks
    ]
    rows = [
        row.model_copy(update={"busbw_gbytes_per_s": row.algbw_gbytes_per_s * factor, "wrong": min(1, row.wrong or 0)})
        for row in one.rows
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
    return one.model_copy(update={"ranks": ranks, "rows": rows, **facts})
