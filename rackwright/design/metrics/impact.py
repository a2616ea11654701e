"""The impact of losing a switch, a link or a plane: nodes cut off, nodes slowed, remaining bisection.

Switches of a tier with equal wiring have equal impact, so the worst of a few stands for its tier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rackwright.design.metrics.cut import bisection_gbps
from rackwright.design.metrics.graph import Bools, FabricGraph, graphs
from rackwright.model.design import Design
from rackwright.model.schemas import SCHEMAS

SAMPLES = 4
"""Switches of a tier whose loss is computed: those with most and with fewest nodes, the first and the last."""


@dataclass(frozen=True)
class SwitchLoss:
    """The impact of losing some switches of a fabric."""

    fabric: str
    kind: str
    element: str
    nodes_down: int
    """Accelerator nodes with no link left."""
    accelerators_down: int
    nodes_slowed: int
    """Nodes that keep some of their links."""
    bisection_share: float
    """Remaining share of the bisection."""

    @property
    def says(self) -> str:
        """One sentence."""
        remaining = f"{self.bisection_share:.1%} of the bisection is left"
        if not self.nodes_down and not self.nodes_slowed:
            return f"Without {self.element} every node keeps all its links into {self.fabric}; {remaining}."
        lost = f"{self.nodes_down} nodes are cut off and {self.nodes_slowed} keep fewer links"
        return f"Without {self.element} {lost} into {self.fabric}; {remaining}."


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
    """Per tier: the worst loss of one switch."""
    return {
        loss.kind: {
            "nodes_down": loss.nodes_down,
            "nodes_slowed": loss.nodes_slowed,
            "bisection_share": loss.bisection_share,
            "worst": loss.element,
        }
        for loss in worst
    }


def losses(fabric: str, role: str, graph: FabricGraph, worst: Sequence[SwitchLoss]) -> pl.DataFrame:
    """Rows of ``losses``: the `worst` switch of every tier, one cable, and every plane.

    Losing a management switch (`role` bmc) takes no node down: only its BMCs cannot be reached.
    """
    if role == "bmc":
        rows = [_unreached_row(loss) for loss in worst]
        return pl.DataFrame(rows, schema=SCHEMAS["losses"], orient="row")
    rows = [_row(loss, "switch") for loss in worst]
    planes = np.unique(graph.plane)
    if len(planes) > 1:
        rows += [_row(_plane(fabric, graph, int(plane)), "plane") for plane in planes]
    link = _link(fabric, graph)
    rows += [link] if link else []
    return pl.DataFrame(rows, schema=SCHEMAS["losses"], orient="row")


def _row(loss: SwitchLoss, kind: str) -> tuple[Any, ...]:
    head = ("fabric", kind, loss.element, loss.nodes_down, loss.accelerators_down)
    return (*head, loss.bisection_share, loss.nodes_down == 0, False, loss.says)


def _unreached_row(loss: SwitchLoss) -> tuple[Any, ...]:
    says = f"Without {loss.element} the BMCs of {loss.nodes_down} nodes cannot be reached."
    return ("fabric", "switch", loss.element, 0, 0, loss.bisection_share, True, False, says)


def worst_switches(fabric: str, graph: FabricGraph) -> Iterator[SwitchLoss]:
    """The worst loss of one switch, for every tier; its `kind` is the tier."""
    hung = np.bincount(graph.leaf, minlength=len(graph.switches))
    for tier in dict.fromkeys(graph.tier):
        mine = np.flatnonzero(np.array([switch_tier == tier for switch_tier in graph.tier]))
        by_load = mine[np.argsort(hung[mine], kind="stable")]
        some = list(dict.fromkeys(int(switch_tier) for switch_tier in (by_load[-1], by_load[0], mine[0], mine[-1])))[
            :SAMPLES
        ]
        switch_losses = [_loss(fabric, graph, switch_tier, tier) for switch_tier in some]
        yield min(
            switch_losses,
            key=lambda switch_tier: (-switch_tier.nodes_down, switch_tier.bisection_share, -switch_tier.nodes_slowed),
        )


def _loss(fabric: str, graph: FabricGraph, switch: int, kind: str = "switch") -> SwitchLoss:
    lost = np.zeros(len(graph.switches), dtype=np.bool_)
    lost[switch] = True
    return _loss_without(fabric, graph, lost, kind, graph.switches[switch])


def _plane(fabric: str, graph: FabricGraph, plane: int) -> SwitchLoss:
    leaves = np.unique(graph.leaf[graph.plane == plane])
    lost = np.isin(graph.part, graph.part[leaves])
    return _loss_without(fabric, graph, lost, "plane", f"{fabric} plane {plane + 1}")


def _loss_without(fabric: str, graph: FabricGraph, lost: Bools, kind: str, element: str) -> SwitchLoss:
    remaining = np.bincount(graph.node[~lost[graph.leaf]], minlength=len(graph.nodes))
    had = np.bincount(graph.node, minlength=len(graph.nodes))
    down = (had > 0) & (remaining == 0)
    slowed = (remaining > 0) & (remaining < had)
    before = bisection_gbps(graph)
    share = bisection_gbps(graph, lost) / before if before else 0.0
    accelerators = int(graph.accelerators[down].sum())
    return SwitchLoss(
        fabric, kind, element, int(down.sum()), accelerators, int(slowed.sum()), round(min(share, 1.0), 4)
    )


def _link(fabric: str, graph: FabricGraph) -> tuple[Any, ...] | None:
    """Losing one cable of the node with fewest links: the remaining share of its bandwidth."""
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
