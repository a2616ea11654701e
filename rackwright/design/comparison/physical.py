"""Figures of what is built: counts, fabrics, power, cooling, what one loss takes down, storage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import polars as pl

from rackwright.design.comparison.figure import Figures, study_value
from rackwright.model.design import Design
from rackwright.model.site import Site


def counts(design: Design) -> Figures:
    """Counts of nodes, racks, switches, links and transceivers."""
    totals, site = design.totals, design.site
    figures: Figures = {
        ("site", "servers"): (", ".join(_servers(site)), ""),
        ("site", "nodes"): (totals["nodes"], ""),
        ("site", "accelerators"): (totals["accelerators"], ""),
        ("site", "racks"): (totals["racks"], ""),
        ("site", "switches"): (len(design.devices.filter(pl.col("kind") == "switch")), ""),
        ("site", "links"): (len(design.cables), ""),
    }
    by_sku = (
        design.bill.filter(pl.col("kind").is_in(["switch", "optic"])).group_by("kind").agg(pl.col("quantity").sum())
    )
    optics = dict(by_sku.iter_rows()).get("optic", 0)
    return figures | {("site", "transceivers"): (optics, "")}


def _servers(site: Site) -> list[str]:
    count: Counter[str] = Counter()
    for pool in site.pools:
        count[pool.server] += pool.count
    return [f"{number} x {sku}" for sku, number in count.items()]


def fabrics(design: Design) -> Figures:
    """Every fabric: its switches and cables, and its bandwidth."""
    figures: Figures = {}
    for fabric in design.site.fabrics:
        row, subject = design.totals["fabrics"][fabric.name], f"fabric {fabric.name}"
        cables = sum(row["cables"].values())
        figures |= {
            (subject, "topology"): (fabric.topology, ""),
            (subject, "transport"): (fabric.transport, ""),
            (subject, "switch"): (fabric.switch, ""),
            (subject, "leaves"): (row["leaf"], ""),
            (subject, "spines"): (row["spine"], ""),
            (subject, "cores"): (row["core"], ""),
            (subject, "links"): (cables, ""),
            (subject, "bisection"): (row["bisection_gbps"], "Gb/s"),
            (subject, "injection"): (row["injection_gbps"], "Gb/s"),
        }
    return figures


def power(design: Design) -> Figures:
    """Drawn power and capacity."""
    feeds = design.site.facility.power
    worst = design.racks["peak_watts"].max() if len(design.racks) else None
    return {
        ("power", "peak IT load"): (design.totals["it_kw"], "kW"),
        ("power", "feeds"): (f"{len(feeds.feeds)} x {feeds.feed_kw} kW", ""),
        ("power", "circuits"): (len(design.circuits), ""),
        ("power", "heaviest rack load"): (int(str(worst)) / 1000 if worst is not None else None, "kW"),
        ("power", "PUE"): (study_value(design, "cost", "pue", "value"), ""),
        ("power", "PUE is"): (study_value(design, "cost", "pue", "basis"), ""),
    }


def cooling(design: Design) -> Figures:
    """Heat, and the plant that carries it away."""
    totals, facility = design.totals, design.site.facility
    cdus = len(design.cooling.filter(pl.col("kind") == "cdu")) if facility.liquid else None
    crahs = len(design.cooling.filter(pl.col("kind") == "crah")) if facility.air else None
    return {
        ("cooling", "into liquid"): (totals["liquid_kw"], "kW"),
        ("cooling", "coolant"): (totals["coolant_liters_per_minute"], "L/min"),
        ("cooling", "air"): (totals["air_cfm"], "CFM"),
        ("cooling", "CDUs"): (cdus, ""),
        ("cooling", "CRAHs"): (crahs, ""),
        ("cooling", "plant draw"): (
            study_value(design, "cooling", "plant_kw") if facility.liquid or facility.air else None,
            "kW",
        ),
    }


def losses(design: Design) -> Figures:
    """The worst loss of every kind: whether the site survives it, and what it takes down."""
    worst = design.losses.sort("survives", "nodes_down", descending=[False, True], maintain_order=True)
    rows = worst.group_by("domain", "kind", maintain_order=True).first().sort("domain", "kind")
    figures: Figures = {}
    for row in rows.iter_rows(named=True):
        outcome = "survived" if row["survives"] else f"{row['nodes_down']} nodes down"
        figures["lose one", f"{row['domain']} {row['kind']}"] = (outcome, "")
    return figures


def storage(design: Design) -> Figures:
    """Every tier: what it promises, and what jobs demand."""
    figures: Figures = {}
    study: Mapping[str, Any] = design.studies.get("storage", {})
    for tier in design.site.storage:
        subject, demand = f"storage {tier.name}", study.get(tier.name, {}).get("demand", {})
        figures |= {
            (subject, "reads promised"): (tier.read_gbytes_per_s, "GB/s"),
            (subject, "reads asked"): (demand.get("read_gbytes_per_s"), "GB/s"),
            (subject, "writes promised"): (tier.write_gbytes_per_s, "GB/s"),
            (subject, "writes asked"): (demand.get("write_gbytes_per_s"), "GB/s"),
            (subject, "capacity"): (tier.capacity_pbytes, "PB"),
        }
    return figures
