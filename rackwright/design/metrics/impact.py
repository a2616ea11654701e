"""What the loss of a switch, a link or a plane does: nodes cut off, nodes slowed, bisection that is left.

Switches of a
tier that hang alike lose alike, so the worst of a few stands for its tier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rackwright.design.metrics.cut import bisection_gbps
from rackwright.design.metrics.graph import Bools, Graph, graphs
from rackwright.model.design import Design
from rackwright.model.schemas import SCHEMAS

SAMPLES = 4
"""Switches of a tier whose loss is worked out whole: those with most and with fewest nodes, the first and the last."""


@dataclass(frozen=True)
class SwitchLoss:
    """What happens when some switches of a fabric are lost."""

    fabric: str
    kind: str
    element: str
    nodes_down: int
    """Accelerator nodes with no link left."""
    accelerators_down: int
    nodes_slowed: int
    """Nodes that keep some of their links."""
    bisection_share: float
    """Of the bisection, what is left."""

    @property
    def says(self) -> str:
        """One sentence."""
        left = f"{self.bisection_share:.1%} of the bisection is left"
        if not self.nodes_down and not self.nodes_slowed:
            return f"Without {self.element} every node keeps all its links into {self.fabric}; {left}."
        lost = f"{self.nodes_down} nodes are cut off and {self.nodes_slowed} keep fewer links"
        return f"Without {self.element} {lost} into {self.fabric}; {left}."


def lose(design: Design, kind: str, name: str) -> SwitchLoss:
    """The loss of one switch (``kind`` switch) or plane (``plane``, name ``<fabric> <number from 1>``); KeyError if unknown."""
    for fabric, graph in graphs(design).items():
        if kind == "switch" and name in graph.switches:
            return _loss(fabric, graph, graph.switches.index(name))
        if kind == "plane" and name.rpartition(" ")[0] == fabric:
            number = int(name.rpartition(" ")[2]) - 1 if name.rpartition(" ")[2].isdecimal() else -1
            if number in graph.plane:
                return _plane(fabric, graph, number)
    raise KeyError(name)


def study(worst: Sequence[SwitchLoss]) -> dict[str, Any]:
    """Per tier: the worst loss of one switch; and the share of a leaf's uplinks that one cable is."""
    return {
        one.kind: {
            "nodes_down": one.nodes_down,
            "nodes_slowed": one.nodes_slowed,
            "bisection_share": one.bisection_share,
            "worst": one.element,
        }
        for one in worst
    }


def losses(fabric: str, role: str, graph: Graph, worst: Sequence[SwitchLoss]) -> pl.DataFrame:
    """Rows of ``losses``: the `worst` switch of every tier, one cable, and every plane.

    Losing a management switch (`role` bmc) takes no node down: its BMC cannot be reached, and that is all.
    """
    if role == "bmc":
        rows = [_unreached(one) for one in worst]
        return pl.DataFrame(rows, schema=SCHEMAS["losses"], orient="row")
    rows = [_row(one, "switch") for one in worst]
    planes = np.unique(graph.plane)
    if len(planes) > 1:
        rows += [_row(_plane(fabric, graph, int(plane)), "plane") for plane in planes]
    link = _link(fabric, graph)
    rows += [link] if link else []
    return pl.DataFrame(rows, schema=SCHEMAS["losses"], orient="row")


def _row(one: SwitchLoss, kind: str) -> tuple[Any, ...]:
    head = ("fabric", kind, one.element, one.nodes_down, one.accelerators_down)
    return (*head, one.bisection_share, one.nodes_down == 0, False, one.says)


def _unreached(one: SwitchLoss) -> tuple[Any, ...]:
    says = f"Without {one.element} the BMCs of {one.nodes_down} nodes cannot be reached."
    return ("fabric", "switch", one.element, 0, 0, one.bisection_share, True, False, says)


def worst_switches(fabric: str, graph: Graph) -> Iterator[SwitchLoss]:
    """The worst loss of one switch, for every tier; its `kind` is the tier."""
    hung = np.bincount(graph.leaf, minlength=len(graph.switches))
    for tier in dict.fromkeys(graph.tier):
        mine = np.flatnonzero(np.array([one == tier for one in graph.tier]))
        by_load = mine[np.argsort(hung[mine], kind="stable")]
        some = list(dict.fromkeys(int(one) for one in (by_load[-1], by_load[0], mine[0], mine[-1])))[:SAMPLES]
        found = [_loss(fabric, graph, one, tier) for one in some]
        yield min(found, key=lambda one: (-one.nodes_down, one.bisection_share, -one.nodes_slowed))


def _loss(fabric: str, graph: Graph, switch: int, kind: str = "switch") -> SwitchLoss:
    lost = np.zeros(len(graph.switches), dtype=np.bool_)
    lost[switch] = True
    return _without(fabric, graph, lost, kind, graph.switches[switch])


def _plane(fabric: str, graph: Graph, plane: int) -> SwitchLoss:
    leaves = np.unique(graph.leaf[graph.plane == plane])
    lost = np.isin(graph.part, graph.part[leaves])
    return _without(fabric, graph, lost, "plane", f"{fabric} plane {plane + 1}")


def _without(fabric: str, graph: Graph, lost: Bools, kind: str, element: str) -> SwitchLoss:
    left = np.bincount(graph.node[~lost[graph.leaf]], minlength=len(graph.nodes))
    had = np.bincount(graph.node, minlength=len(graph.nodes))
    down = (had > 0) & (left == 0)
    slowed = (left > 0) & (left < had)
    before = bisection_gbps(graph)
    share = bisection_gbps(graph, lost) / before if before else 0.0
    accelerators = int(graph.accelerators[down].sum())
    return SwitchLoss(
        fabric, kind, element, int(down.sum()), accelerators, int(slowed.sum()), round(min(share, 1.0), 4)
    )


def _link(fabric: str, graph: Graph) -> tuple[Any, ...] | None:
    """One cable of the node with fewest links: what is left of its bandwidth."""
    if not len(graph.node):
        return None
    had = np.bincount(graph.node, minlength=len(graph.nodes))
    weakest = int(np.flatnonzero(had == had[had > 0].min())[0])
    count, name = int(had[weakest]), graph.nodes[weakest]
    down = int(count == 1)
    share = round(1 - 1 / count, 4)
    says = f"Without one cable {name} keeps {count - 1} of {count} links into {fabric}."
    element = f"{fabric} cable of {name}"
    accelerators = int(graph.accelerators[weakest]) * down
    return ("fabric", "link", element, down, accelerators, share, not down, False, says)
