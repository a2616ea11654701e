"""Collectives of one node and of groups of nodes, as the libraries would reach and print them. In: state. Out: `Collective` records.

The curve over sizes is the one that stas00/ml-engineering (network, read 2026-07-29) measured on H200: 219.9, 401.9, 463.6 and 477.5 GB/s at
16 MiB, 128 MiB, 1 GiB and 8 GiB. A group is as fast as its slowest member; TCP, host memory and missing GPUDirect cost what is published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rackwright import compare
from rackwright.compare.parts import GIB
from rackwright.model.check import Expectation
from rackwright.model.design import Design
from rackwright.model.evidence.collective import Collective, CollectiveRow, Rank, Transport
from rackwright.twin.performance import model
from rackwright.twin.state import Gpu, Machine, State

Name = Literal["all_reduce", "all_gather", "reduce_scatter", "all_to_all"]
INSIDE: tuple[Name, ...] = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")
BETWEEN: tuple[Name, ...] = ("all_reduce", "all_to_all")
MIB = 1 << 20
CURVE = {16 * MIB: 0.4605, 128 * MIB: 0.8417, GIB: 0.9738, 8 * GIB: 1.0}
LARGE = {GIB: 0.9738, 8 * GIB: 1.0}
HOST_MEMORY = 0.1
"""Share that is left through host memory. Derived: PCIe 5 x16 (51 GB/s) against NVLink (450 GB/s)."""
TCP = 3 / 489
"""NVIDIA/aicr issue 2683: 3 GB/s over TCP, 489 over RDMA on the same hardware (read 2026-07-29)."""
WITHOUT_GPUDIRECT = 300 / 720
"""imbue-ai/cluster-health host_validation/p2p_ib_test.py (read 2026-07-29): bounds without and with GPUDirect."""
ONE_FEWER = 0.96
"""stas00/ml-engineering, H200: 460.0 with seven GPUs against 477.5 with eight."""
LIBRARIES = {"nvidia": "nccl", "amd": "rccl"}
VERSIONS = {"nccl": "nccl-tests 2.17.8", "rccl": "rccl-tests 2.17.9"}


@dataclass(frozen=True)
class Member:
    """One node of a group."""

    machine: Machine
    about: Expectation

    @property
    def rails(self) -> list[str]:
        """Adapters that serve accelerators, in rail order."""
        return [name for group in self.about.node.server.ports if group.role == "compute" for name in group.names]

    def adapters(self, gpu: Gpu) -> list[str]:
        """The adapters that one accelerator sends over: its own, or the next that the library uses."""
        used = [name for name in self.rails if self.machine.performance.rail(name).used]
        if not used:
            return []
        per = max(1, len(self.rails) // max(1, len(self.machine.gpus)))
        own = self.rails[gpu.index * per : (gpu.index + 1) * per] or [self.rails[gpu.index % len(self.rails)]]
        return sorted({name if name in used else used[0] for name in own})


def member(state: State, design: Design, node: str) -> Member:
    """`node` with what limits know of it."""
    return Member(state.machines[node], model.expectation(design, node))


def inside(state: State, design: Design, node: str) -> list[Collective]:
    """What the accelerators of one node reach among themselves."""
    one = member(state, design, node)
    return [_inside(state, one, name) for name in INSIDE]


def between(state: State, design: Design, nodes: Sequence[str]) -> list[Collective]:
    """What a group of nodes reaches."""
    group = [member(state, design, node) for node in nodes]
    return [_between(state, group, name) for name in BETWEEN]


def _inside(state: State, one: Member, name: Name) -> Collective:
    way = _way(one, name)
    gpus = model.given(one.machine)
    key = {"collective": name, "nodes": "1", "size": "8GiB", "transport": "p2p" if way == "shm" else way}
    part = one.about.node.accelerator
    best = model.most(one.about, "collective.busbw_gbytes_per_s", part.scale_up_gbytes_per_s if part else 0.0, **key)
    left = min(model.links(one.machine, gpu) for gpu in gpus) * (HOST_MEMORY if way == "shm" else 1.0)
    left *= ONE_FEWER ** (len(one.machine.gpus) - len(gpus))
    ways: list[Transport] = ["nvls", "p2p"] if way == "nvls" else [way]
    chosen = {"algorithm": "NVLS" if way == "nvls" else "RING", "protocol": "SIMPLE"}
    ranks = [_rank(one, number, gpu, ways, network=None) for number, gpu in enumerate(gpus)]
    return _result(state, [one], name, ranks, best * left, CURVE, chosen)


def _way(one: Member, name: Name) -> Transport:
    """How accelerators of one node reach each other for a collective."""
    if not one.machine.performance.peers:
        return "shm"
    row = compare.limit(one.about, "collective.transport", collective=name)
    best = compare.words(row)[0] if row else "p2p"
    return "nvls" if best == "nvls" and one.machine.performance.multicast else "p2p"


def _between(state: State, group: Sequence[Member], name: Name) -> Collective:
    first = group[0].about
    racks = {one.about.node.rack for one in group}
    domain = len(racks) == 1 and compare.limit(first, "collective.domain_gbytes_per_s", collective=name) is not None
    ranks, number = [], 0
    for one in group:
        network: Transport | None = None if domain else "socket" if one.machine.performance.tcp else _network(one)
        for gpu in model.given(one.machine):
            ranks.append(_rank(one, number, gpu, ["mnnvl", "p2p"] if domain else ["p2p"], network=network))
            number += 1
    best = _domain(first, name) if domain else _wire(group, name, len(ranks))
    left = min(_left(one, domain=domain) for one in group) * _together(group)
    chosen = {"algorithm": "RING", "protocol": "SIMPLE"}
    return _result(state, group, name, ranks, best * left, LARGE, chosen)


def _network(one: Member) -> Transport:
    infiniband = any(nic.infiniband for nic in one.machine.nics if nic.name in one.rails)
    return "infiniband" if infiniband else "roce"


def _domain(about: Expectation, name: Name) -> float:
    part = about.node.accelerator
    return model.most(
        about, "collective.domain_gbytes_per_s", part.scale_up_gbytes_per_s if part else 0.0, collective=name
    )


def _wire(group: Sequence[Member], name: Name, ranks: int) -> float:
    """Bus bandwidth at which each accelerator's share of the network is what a healthy one carries."""
    first, nodes = group[0].about, len(group)
    lines = [port.gbps * port.count for port in first.node.server.ports if port.role == "compute"]
    peak = sum(lines) / 8 / max(1, first.node.accelerators)
    wire = model.most(first, "collective.wire_gbytes_per_s", peak, collective=name, nodes=str(nodes))
    away = ranks - ranks / nodes if name == "all_to_all" else nodes - 1
    return wire * (ranks - 1) / away


def _left(one: Member, *, domain: bool) -> float:
    """What one node leaves of the speed of its group."""
    performance = one.machine.performance
    inside_node = min(model.links(one.machine, gpu) for gpu in model.given(one.machine))
    if domain:
        return inside_node
    slowest = min((performance.rail(name).bandwidth for name in one.rails if performance.rail(name).used), default=1.0)
    direct = performance.gpudirect and all(performance.rail(name).gpudirect for name in one.rails)
    return min(inside_node, slowest) * (TCP if performance.tcp else 1.0) * (1.0 if direct else WITHOUT_GPUDIRECT)


def _together(group: Sequence[Member]) -> float:
    names = {one.machine.node for one in group}
    return min(
        (left for one in group for other, left in one.machine.performance.slow_with.items() if other in names),
        default=1.0,
    )


def _rank(one: Member, number: int, gpu: Gpu, ways: Sequence[Transport], *, network: Transport | None) -> Rank:
    silent = one.machine.performance.silent_log
    adapters = one.adapters(gpu) if network not in (None, "socket") and not silent else []
    direct = one.machine.performance.gpudirect and all(
        one.machine.performance.rail(name).gpudirect for name in adapters
    )
    return Rank(
        rank=number,
        node=one.machine.node,
        device=gpu.index,
        pci_bus_id=gpu.pci_bus_id.removeprefix("0000").removesuffix(".0"),
        product_name=gpu.product_name,
        transports=[] if silent else sorted([*ways, *([network] if network else [])]),
        adapters=adapters,
        gpudirect=None if network is None or silent else direct and network != "socket",
    )


def _result(
    state: State,
    group: Sequence[Member],
    name: Name,
    ranks: list[Rank],
    speed: float,
    curve: dict[int, float],
    chosen: dict[str, str],
) -> Collective:
    part = group[0].about.node.accelerator
    library = LIBRARIES.get(part.vendor if part else "", "nccl")
    wrong = sum(one.machine.performance.wrong_elements for one in group)
    silent = all(one.machine.performance.silent_log for one in group)
    facts: dict[str, Any] = {"algorithm": "", "protocol": ""} if silent else chosen
    nodes = [one.machine.node for one in group]
    return Collective(
        collective=name,
        nodes=nodes,
        ranks=ranks,
        library=library,  # type: ignore[arg-type]
        library_version="2.30.4" if library == "nccl" else "2.27.3",
        tool=VERSIONS[library],
        iterations=20,
        warmup=1,
        datatype="float",
        rows=[
            _row(
                name,
                len(ranks),
                size,
                speed * share * model.noise(state, *nodes, name, str(size)),
                wrong,
                in_place=in_place,
            )
            for size, share in curve.items()
            for in_place in (False, True)
        ],
        **facts,
    )


def _row(name: Name, ranks: int, size: int, busbw: float, wrong: int, *, in_place: bool) -> CollectiveRow:
    factor = (2 if name == "all_reduce" else 1) * (ranks - 1) / ranks if ranks > 1 else 1.0
    speed = round(busbw, 2)
    algbw = round(speed / factor, 2)
    return CollectiveRow(
        bytes=size,
        in_place=in_place,
        microseconds=round(size / max(algbw, 0.01) / 1000, 2),
        algbw_gbytes_per_s=algbw,
        busbw_gbytes_per_s=speed,
        wrong=None if in_place and name == "all_to_all" else wrong,
    )


def ascend(results: Sequence[Collective]) -> list[Collective]:
    """The same as hccl_test prints it: algorithm bandwidth out of place, and nothing of paths."""
    return [_ascend(one) for one in results]


def _ascend(one: Collective) -> Collective:
    factor = (2 if one.collective == "all_reduce" else 1) * (len(one.ranks) - 1) / len(one.ranks)
    ranks = [
        rank.model_copy(update={"transports": [], "adapters": [], "gpudirect": None, "pci_bus_id": ""})
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
