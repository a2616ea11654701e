"""The study ``availability``: interruptions of the site and of every class of jobs, nodes down, spares."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from rackwright.catalog import Catalog, failure_rates
from rackwright.catalog.failure_rates import FailureRates, TrainingRun
from rackwright.design.availability import jobs, spares
from rackwright.design.availability.interruptions import (
    GROUPS,
    HOURS_PER_DAY,
    REPAIRED,
    Counts,
    estimates,
    mtbi_hours,
    per_day,
    reference,
)
from rackwright.design.availability.poisson import at_least, spare_nodes
from rackwright.design.bill.line import of_row
from rackwright.model.design import Design
from rackwright.model.site import Pool


def add(design: Design, catalog: Catalog) -> Design:
    """The design with its availability study."""
    rates = failure_rates.load()
    links = _links(design)
    counts = {pool.name: _counts(pool, links, design) for pool in design.site.pools}
    in_service = spares.of_site([of_row(row) for row in design.bill.iter_rows(named=True)], design, catalog)
    study = {
        "site": _site(design, list(counts.values()), rates),
        "pools": [_pool(pool, counts[pool.name], design, catalog, rates) for pool in design.site.pools],
        "workloads": [
            jobs.row(
                workload, counts[workload.pool], design, rates, reference(rates, _accelerator(design, workload.pool))
            )
            for workload in design.site.workloads
        ],
        "spares": spares.rows(in_service, rates, design.site.operations),
        "not_counted": list(spares.NOT_COUNTED),
        "sources": [f"{workload.doc} ({workload.date})" for workload in rates.sources],
    }
    return replace(design, studies={**design.studies, "availability": study})


def _links(design: Design) -> dict[str, int]:
    """Links of the nodes of every pool into the compute fabrics."""
    names = [fabric.name for fabric in design.site.fabrics if fabric.role == "compute"]
    nodes = design.node_table.lazy().filter(pl.col("role") == "accelerator").select("node", "pool")
    wires = design.cables.lazy().filter(pl.col("fabric").is_in(names) & (pl.col("kind") == "node_leaf"))
    per_node = wires.join(nodes, left_on="a_device", right_on="node").group_by("pool").len().collect()
    return {str(pool): int(count) for pool, count in per_node.iter_rows()}


def _counts(pool: Pool, links: dict[str, int], design: Design) -> Counts:
    return Counts(pool.count * design.servers[pool.server].accelerators, links.get(pool.name, 0), pool.count)


def _accelerator(design: Design, pool: str) -> str | None:
    server = next(candidate.server for candidate in design.site.pools if candidate.name == pool)
    return design.servers[server].accelerator


def _site(design: Design, counts: list[Counts], rates: FailureRates) -> dict[str, Any]:
    """Figures of the whole site as one job: interruptions that an operator sees in a day. Rates are those of the first pool's accelerator."""
    run = reference(rates, _accelerator(design, design.site.pools[0].name))
    counts_of_site = Counts(
        sum(c.accelerators for c in counts), sum(c.links for c in counts), sum(c.nodes for c in counts)
    )
    daily = per_day(counts_of_site, run)
    total = sum(daily.values())
    intervals = estimates(counts_of_site, rates, run)
    return {
        "accelerators": counts_of_site.accelerators,
        "links": counts_of_site.links,
        "nodes": counts_of_site.nodes,
        "rates_of": _rates_of(run),
        "counted_per": dict(GROUPS),
        "interruptions_per_day_by_group": daily,
        "interruptions_per_day": total,
        "per_1000_node_days": 1000 * total / counts_of_site.nodes,
        "mtbi_hours": mtbi_hours(total),
        "mtbi_range_hours": [intervals[0]["mtbi_hours"], intervals[-1]["mtbi_hours"]] if intervals else None,
        "estimates": intervals,
    }


def _rates_of(run: TrainingRun) -> str:
    return f"{run.name}: {run.accelerators} {run.accelerator} for {run.days:g} days"


def _pool(pool: Pool, counts: Counts, design: Design, catalog: Catalog, rates: FailureRates) -> dict[str, Any]:
    """Nodes down at a time (repairs per hour x repair time), and the spares that keep a scalable unit whole."""
    operations, server = design.site.operations, design.servers[pool.server]
    run = reference(rates, server.accelerator)
    daily = per_day(counts.times(1 / counts.nodes), run)
    repairs = sum(daily[group] for group in REPAIRED)
    up = 1 / (1 + repairs * operations.repair_hours / HOURS_PER_DAY)
    unit, sure = min(pool.scalable_unit, pool.count), operations.spare_confidence
    parts = spares.rows(spares.of_nodes(server, unit, catalog), rates, operations)
    return {
        "pool": pool.name,
        "nodes": pool.count,
        "rates_of": _rates_of(run),
        "node_repairs_per_day": repairs,
        "repair_hours": operations.repair_hours,
        "node_availability": up,
        "nodes_down": pool.count * (1 - up),
        "all_nodes_up_share": at_least(pool.count, 0, up),
        "confidence": sure,
        "spare_nodes": spare_nodes(pool.count, up, sure),
        "scalable_unit": {
            "nodes": unit,
            "all_nodes_up_share": at_least(unit, 0, up),
            "spare_nodes": spare_nodes(unit, up, sure),
            "spares": parts,
        },
    }
