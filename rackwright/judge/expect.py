"""What the design promises of each node, as checks read it. In: a design and limits. Out: an `Expectation` per node.

The cable plan is turned round once for the whole site, so that a check can say whose place a cable took, and so that a
large site costs one pass over its tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rackwright.judge.places import places
from rackwright.model.check import Expectation, Limits
from rackwright.model.design import Design, Link, Node
from rackwright.model.software import Bill
from rackwright.model.wiring import Trunk, Wiring

Port = tuple[str, str]
CABLE = ("kind", "fabric", "cable", "a_device", "a_port", "b_device", "b_port", "gbps", "sku", "length_meters")
"""Columns of a cable that count here."""


@dataclass(frozen=True)
class Cabling:
    """The cable plan seen from both ends."""

    links: Mapping[str, tuple[Link, ...]]
    """Planned cables of every node, in port order."""
    owners: Mapping[tuple[str, int], Port]
    """Node and port that belong on a switch port, by switch and port number; InfiniBand fabrics only."""
    wiring: Wiring
    """What the plan says beyond the cables of one node."""


def cabling(design: Design) -> Cabling:
    """The cable plan of the nodes of `design`."""
    transports: dict[str, str] = {fabric.name: fabric.transport for fabric in design.site.fabrics}
    number = _numbers(design)
    links: dict[str, list[Link]] = defaultdict(list)
    owners: dict[tuple[str, int], Port] = {}
    trunks: dict[tuple[str, int], Trunk] = {}
    plugs: dict[Port, Port] = {}
    infiniband = {fabric for fabric, transport in transports.items() if transport == "infiniband"}
    words: dict[str, str] = {}  # each name once: a table gives a new string for every cell
    for kind, fabric, cable, *ends, gbps, sku, meters in design.cables.select(CABLE).iter_rows():
        near_device, near_port, far_device, far_port = (words.setdefault(one, one) for one in ends)
        there = far_device, number.get((far_device, fabric, far_port), 0)
        if kind == "node_leaf":
            link = Link(fabric, cable, near_port, far_device, far_port, gbps, there[1], sku or "", meters or 0.0)
            links[near_device].append(link)
            if fabric in infiniband:
                owners[there] = near_device, near_port
            else:
                plugs[far_device, far_port] = near_device, near_port
        elif fabric in infiniband:
            here = near_device, number.get((near_device, fabric, near_port), 0)
            trunks[here] = Trunk(cable, fabric, there, gbps)
            trunks[there] = Trunk(cable, fabric, here, gbps)
    ordered = {
        node: tuple(sorted(own, key=lambda link: (link.fabric, number.get((node, link.fabric, link.port), 0))))
        for node, own in links.items()
    }
    managers = _managers(design, links, transports)
    wiring = Wiring(transports, trunks, plugs, design.cable_parts, managers, _partitions(design))
    return Cabling(ordered, owners, wiring)


def _numbers(design: Design) -> dict[tuple[str, str, str], int]:
    """By device, fabric and port name: the number of the port."""
    columns = (design.ports[name].to_list() for name in ("device", "fabric", "port", "number"))
    return {(device, fabric, port): number for device, fabric, port, number in zip(*columns, strict=True)}


def _managers(
    design: Design, links: Mapping[str, list[Link]], transports: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """By InfiniBand fabric: the machines for its subnet manager that have a cable into it, in design order."""
    found: dict[str, dict[str, None]] = {
        name: {} for name, transport in transports.items() if transport == "infiniband"
    }
    for node in design.nodes("ufm"):
        for link in links.get(node.name, []):
            if link.fabric in found:
                found[link.fabric][node.name] = None
    return {fabric: tuple(names) for fabric, names in found.items()}


def _partitions(design: Design) -> dict[tuple[str, str], int]:
    """Declared P_Keys by fabric and pool; "" for every pool."""
    rows = design.networks.drop_nulls("partition_key").iter_rows(named=True)
    return {(row["fabric"], row["pool"] or ""): row["partition_key"] for row in rows}


def expectations(
    design: Design,
    nodes: Iterable[Node],
    limits: Limits,
    taken: Mapping[str, str],
    baselines: Limits | None = None,
) -> Iterable[Expectation]:
    """One expectation per node, in the order of `nodes`; `taken` holds the ISO time of its evidence by node."""
    plan = cabling(design)
    racks = places(design)
    storage = tuple(design.site.storage)  # one for all, like the bill of a pool: equal nodes are told by it
    bills: dict[str, Bill] = {}
    for node in nodes:
        if node.pool not in bills:
            bills[node.pool] = design.site.software.bill(node.pool)
        yield Expectation(
            node=node,
            links=plan.links.get(node.name, ()),
            software=bills[node.pool],
            limits=limits,
            owners=plan.owners,
            wiring=plan.wiring,
            storage=storage,
            as_of=taken.get(node.name, "")[:10],
            places=racks.get(node.rack, {}),
            baselines=baselines,
        )
