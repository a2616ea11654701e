"""What the design promises of each node, as checks read it. In: a design and limits. Out: an `Expectation` per node.

The cable plan is turned round once for the whole site, so that a check can say whose place a cable took, and so that a
large site costs one pass over its tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rackwright.model.check import Expectation, Limits
from rackwright.model.design import Design, Link, Node

Port = tuple[str, str]


@dataclass(frozen=True)
class Cabling:
    """The cable plan seen from both ends."""

    links: Mapping[str, tuple[Link, ...]]
    """Planned cables of every node, in port order."""
    owners: Mapping[tuple[str, int], Port]
    """Node and port that belong on a switch port, by switch and port number; InfiniBand fabrics only."""


def cabling(design: Design) -> Cabling:
    """The cable plan of the nodes of `design`."""
    subnets = {fabric.name for fabric in design.site.fabrics if fabric.transport == "infiniband"}
    number = {(r["device"], r["fabric"], r["port"]): r["number"] for r in design.ports.iter_rows(named=True)}
    links: dict[str, list[Link]] = defaultdict(list)
    owners: dict[tuple[str, int], Port] = {}
    for row in design.cables.iter_rows(named=True):
        if row["kind"] != "node_leaf":
            continue
        fabric, node, port = row["fabric"], row["a_device"], row["a_port"]
        switch, far = row["b_device"], row["b_port"]
        far_number = number.get((switch, fabric, far), 0)
        links[node].append(Link(fabric, row["cable"], port, switch, far, row["gbps"], far_number))
        if fabric in subnets:
            owners[switch, far_number] = (node, port)
    ordered = {
        node: tuple(sorted(own, key=lambda link: (link.fabric, number.get((node, link.fabric, link.port), 0))))
        for node, own in links.items()
    }
    return Cabling(ordered, owners)


def expectations(
    design: Design, nodes: Iterable[Node], limits: Limits, taken: Mapping[str, str]
) -> Iterable[Expectation]:
    """One expectation per node, in the order of `nodes`; `taken` holds the ISO time of its evidence by node."""
    plan = cabling(design)
    for node in nodes:
        yield Expectation(
            node=node,
            links=plan.links.get(node.name, ()),
            software=design.site.software.bill(node.pool),
            limits=limits,
            owners=plan.owners,
            as_of=taken.get(node.name, "")[:10],
        )
