"""Figures of a wired fabric, computed from its cables: bisection, hops, path diversity, free ports, failure impact.

Nothing here depends on how a topology was built; a new topology is measured like any other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from rackwright.catalog import Catalog
from rackwright.design.metrics import cut, domains, impact, paths, plant_loss
from rackwright.design.metrics.graph import graphs
from rackwright.design.metrics.impact import SwitchLoss, lose
from rackwright.model.design import Design

__all__ = ["SwitchLoss", "add", "lose"]


def add(design: Design, catalog: Catalog) -> Design:
    """`design` with its fabrics measured; `catalog` is unused: every step has the same signature."""
    del catalog
    studies: dict[str, Any] = {}
    totals = {**design.totals, "fabrics": {name: dict(row) for name, row in design.totals["fabrics"].items()}}
    rows = [design.losses]
    free, where, downs = _free_ports(design), domains.places(design), plant_loss.downs(design)
    fabrics = {fabric.name: fabric for fabric in design.site.fabrics}
    for name, graph in graphs(design).items():
        bisection = cut.bisection_gbps(graph)
        totals["fabrics"][name]["bisection_gbps"] = bisection
        worst = list(impact.worst_switches(name, graph))
        injection = float(graph.injection_gbps)
        studies[name] = {
            "bisection_gbps": bisection,
            "full_bisection_gbps": injection / 2,
            "bisection_share": round(bisection / (injection / 2), 4) if injection else None,
            **paths.study(graph),
            "ports_free": free.get(name, {}),
            "impact": impact.study(worst),
            "domains": domains.study(graph, where, downs, fabrics[name].survive),
        }
        rows.append(impact.losses(name, fabrics[name].role, graph, worst))
    losses = pl.concat(rows) if len(rows) > 1 else design.losses
    return replace(design, totals=totals, losses=losses, studies={**design.studies, "fabrics": studies})


def _free_ports(design: Design) -> dict[str, dict[str, int]]:
    """Free switch ports by fabric and tier, without reserved ones."""
    switches = design.devices.filter(pl.col("kind") == "switch").select("device", tier="role")
    ports = design.ports.filter(pl.col("cable").is_null() & pl.col("reserved").is_null())
    counts = ports.join(switches, on="device").group_by("fabric", "tier").len().sort("fabric", "tier")
    free_ports: dict[str, dict[str, int]] = {}
    for fabric, tier, count in counts.iter_rows():
        free_ports.setdefault(fabric, {})[tier] = count
    return free_ports
