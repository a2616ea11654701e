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
from rackwright.twin.guest.products import group_speed
from rackwright.twin.performance import model
from rackwright.twin.state import Gpu, Machine, State

Name = Literal["all_reduce", "all_gather", "reduce_scatter", "all_to_all"]
INSIDE: tuple[Name, ...] = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")
BETWEEN: tuple[Name, ...] = ("all_reduce", "all_to_all")
MIB = 1 << 20
CURVE = {16 * MIB: 0.4605, 128 * MIB: 0.8417, GIB: 0.9738, 8 * GIB: 1.0}
HOST_MEMORY = 0.1
"""Share that is left through host memory. Derived: PCIe 5 x16 (51 GB/s) against NVLink (450 GB/s)."""
ONE_FEWER = 0.96
"""stas00/ml-engineering, H200: 460.0 with seven GPUs against 477.5 with eight."""
LIBRARIES = {"nvidia": "nccl", "amd": "rccl"}
RELEASES = {"nccl": "2.30.4", "rccl": "2.27.3"}
DOMAIN = "collective.domain_gbytes_per_s"
BITS = 8
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
    return [_between(state, design, nodes, name) for name in BETWEEN]


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
    ranks = [_rank(one, number, gpu, ways) for number, gpu in enumerate(gpus)]
    return _result(state, one, name, ranks, best * left, chosen)


def _way(one: Member, name: Name) -> Transport:
    """How accelerators of one node reach each other for a collective."""
    if not one.machine.performance.peers:
        return "shm"
    row = compare.limit(one.about, "collective.transport", collective=name)
    best = compare.words(row)[0] if row else "p2p"
    return "nvls" if best == "nvls" and one.machine.performance.multicast else "p2p"


def site(state: State, design: Design, nodes: Sequence[str]) -> dict[str, Any]:
    """All that the speed of groups of `nodes` follows from, as plain data (`group_speed`)."""
    members = [member(state, design, name) for name in nodes]
    kinds = {one.machine.model: one for one in members}
    return {
        "seed": state.seed,
        "kinds": {model_: _kind(one, len(members)) for model_, one in kinds.items()},
        "members": {one.machine.node: _member(one) for one in members if model.given(one.machine)},
    }


def _between(state: State, design: Design, nodes: Sequence[str], name: Name) -> Collective:
    return Collective.model_validate(group_speed.result(site(state, design, nodes), list(nodes), name))


def _kind(one: Member, most: int) -> dict[str, Any]:
    """What healthy nodes of one kind reach together, by collective and number of nodes."""
    about, part = one.about, one.about.node.accelerator
    lines = [port.gbps * port.count for port in about.node.server.ports if port.role == "compute"]
    peak = sum(lines) / BITS / max(1, about.node.accelerators)
    metric, library = "collective.wire_gbytes_per_s", LIBRARIES.get(part.vendor if part else "", "nccl")
    wire = {
        name: {
            "": model.most(about, metric, peak, collective=name),
            **{str(k): model.most(about, metric, peak, collective=name, nodes=str(k)) for k in range(2, most + 1)},
        }
        for name in BETWEEN
    }
    domain = {
        name: _domain(about, name) for name in BETWEEN if compare.limit(about, DOMAIN, collective=name) is not None
    }
    facts = {"library": library, "library_version": RELEASES[library], "tool": VERSIONS[library]}
    return {"wire": wire, "domain": domain, "facts": facts}


def _member(one: Member) -> dict[str, Any]:
    """One node of a group."""
    performance, gpus = one.machine.performance, model.given(one.machine)
    used = [name for name in one.rails if performance.rail(name).used]
    return {
        "kind": one.machine.model,
        "rack": one.about.node.rack,
        "network": _network(one),
        "inside": min(model.links(one.machine, gpu) for gpu in gpus),
        "slowest_rail": min((performance.rail(name).bandwidth for name in used), default=1.0),
        "direct": performance.gpudirect and all(performance.rail(name).gpudirect for name in one.rails),
        "tcp": performance.tcp,
        "silent": performance.silent_log,
        "wrong": performance.wrong_elements,
        "slow_with": dict(performance.slow_with),
        "gpus": [_gpu(one, gpu) for gpu in gpus],
    }


def _gpu(one: Member, gpu: Gpu) -> dict[str, Any]:
    adapters = one.adapters(gpu)
    direct = one.machine.performance.gpudirect and all(
        one.machine.performance.rail(name).gpudirect for name in adapters
    )
    place = gpu.pci_bus_id.removeprefix("0000").removesuffix(".0")
    facts = {"device": gpu.index, "pci_bus_id": place, "product_name": gpu.product_name}
    return {**facts, "adapters": adapters, "direct": direct}


def _network(one: Member) -> Transport:
    infiniband = any(nic.infiniband for nic in one.machine.nics if nic.name in one.rails)
    return "infiniband" if infiniband else "roce"


def _domain(about: Expectation, name: Name) -> float:
    part = about.node.accelerator
    return model.most(about, DOMAIN, part.scale_up_gbytes_per_s if part else 0.0, collective=name)


def _rank(one: Member, number: int, gpu: Gpu, ways: Sequence[Transport]) -> Rank:
    said = _gpu(one, gpu)
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
