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
from rackwright.model.wiring import Trunk, Wiring

Port = tuple[str, str]


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
    number = {(r["device"], r["fabric"], r["port"]): r["number"] for r in design.ports.iter_rows(named=True)}
    links: dict[str, list[Link]] = defaultdict(list)
    owners: dict[tuple[str, int], Port] = {}
    trunks: dict[tuple[str, int], Trunk] = {}
    plugs: dict[Port, Port] = {}
    for row in design.cables.iter_rows(named=True):
        fabric, near, far = row["fabric"], (row["a_device"], row["a_port"]), (row["b_device"], row["b_port"])
        transport = transports[fabric]
        there = far[0], number.get((far[0], fabric, far[1]), 0)
        if row["kind"] == "node_leaf":
            sku, meters = row["sku"] or "", row["length_meters"] or 0.0
            links[near[0]].append(Link(fabric, row["cable"], near[1], *far, row["gbps"], there[1], sku, meters))
            if transport == "infiniband":
                owners[there] = near
            else:
                plugs[far] = near
        elif transport == "infiniband":
            here = near[0], number.get((near[0], fabric, near[1]), 0)
            trunks[here] = Trunk(row["cable"], fabric, there, row["gbps"])
            trunks[there] = Trunk(row["cable"], fabric, here, row["gbps"])
    ordered = {
        node: tuple(sorted(own, key=lambda link: (link.fabric, number.get((node, link.fabric, link.port), 0))))
        for node, own in links.items()
    }
    managers = _managers(design, links, transports)
    wiring = Wiring(transports, trunks, plugs, design.cable_parts, managers, _partitions(design))
    return Cabling(ordered, owners, wiring)


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
    for node in nodes:
        yield Expectation(
            node=node,
            links=plan.links.get(node.name, ()),
            software=design.site.software.bill(node.pool),
            limits=limits,
            owners=plan.owners,
            wiring=plan.wiring,
            storage=tuple(design.site.storage),
            as_of=taken.get(node.name, "")[:10],
            places=racks.get(node.rack, {}),
            baselines=baselines,
        )
