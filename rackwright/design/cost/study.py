"""The study ``cost``: what the site costs to buy and to run, per year, over its years and per accelerator-hour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from rackwright.catalog import Catalog, cost_reference
from rackwright.design.cost import figures
from rackwright.design.cost.figures import Figure
from rackwright.design.cost.pue import PueFigure, of_design
from rackwright.design.cost.terms import HOURS_PER_YEAR
from rackwright.model.design import Design

SENSITIVITY_SHARE = 0.2
"""How far each input is moved to see what hangs on it; a convention, no estimate of its error."""


def add(design: Design, catalog: Catalog) -> Design:
    """The design with its cost study."""
    pue = of_design(design, catalog)
    figures = _figures(design, pue)
    total = figures["total"]
    reference = cost_reference.load()
    study = {
        "currency": design.site.economics.currency,
        "years": design.site.economics.years,
        "pue": asdict(pue) | {"survey": reference.survey.pue},
        "figures": {name: figure.plain() for name, figure in figures.items()},
        "sensitivity": _sensitivity(design, pue, total),
        "says": _describe_cost(design, total),
        "sources": [f"{document.doc} ({document.date})" for document in reference.sources],
    }
    return replace(design, studies={**design.studies, "cost": study})


def _figures(design: Design, pue: PueFigure) -> dict[str, Figure]:
    """The figures in the order in which they build on each other."""
    economics = design.site.economics
    bought, built = figures.hardware(design), figures.facility(design)
    by_name = {
        "hardware": bought,
        "facility": built,
        "capex": _sum(design, "hardware + facility", {"hardware": bought, "facility": built}),
        "energy_per_year": figures.energy(design, pue),
        "operation_per_year": figures.operation(design),
        "repair_per_year": figures.repair(design, bought.value),
        "hardware_written_off": figures.write_off(bought, economics.years, economics),
        "facility_written_off": figures.write_off(built, figures.facility_life(economics), economics),
    }
    by_name["total"] = _total(design, by_name)
    return by_name | _per_hour(design, by_name["total"])


def _total(design: Design, figures: Mapping[str, Figure]) -> Figure:
    """Total cost of ownership: written-off purchases, and the yearly costs times the years."""
    years = design.site.economics.years
    parts = {name: figures[name] for name in ("hardware_written_off", "facility_written_off")}
    for name in ("energy_per_year", "operation_per_year", "repair_per_year"):
        figure = figures[name]
        parts[name] = replace(figure, value=None if figure.value is None else figure.value * years)
    return _sum(design, f"written-off purchases + {years} x yearly costs", parts)


def _sum(design: Design, formula: str, parts: Mapping[str, Figure]) -> Figure:
    """The sum of the known figures, with the names of the missing ones; None if none is known."""
    values = {name: figure.value for name, figure in parts.items()}
    amounts = [value for value in values.values() if value is not None]
    missing = [what for figure in parts.values() for what in figure.missing]
    value = sum(amounts) if amounts else None
    return Figure(value, design.site.economics.currency, formula, values, list(dict.fromkeys(missing)))


def _per_hour(design: Design, total: Figure) -> dict[str, Figure]:
    """Cost of an accelerator-hour: owned, on a node that is up, and spent on the progress of each training class."""
    hours = design.totals["accelerators"] * design.site.economics.years * HOURS_PER_YEAR
    study = design.studies.get("availability", {})
    unit = f"{design.site.economics.currency} per accelerator-hour"
    if total.value is None or not hours:
        return {"accelerator_hour": Figure(None, unit, "total / accelerator_hours", {}, total.missing)}
    inputs = {"total": total.value, "accelerator_hours": hours}
    owned = total.value / hours
    figures = {"accelerator_hour": Figure(owned, unit, "total / accelerator_hours", inputs, total.missing)}
    up = _availability(study)
    if up:
        inputs = {"accelerator_hour": owned, "node_availability": up}
        formula = "accelerator_hour / node_availability"
        figures["available_accelerator_hour"] = Figure(owned / up, unit, formula, inputs, total.missing)
    for job in study.get("workloads", []):
        saved = job["checkpoint"] or {}
        goodput = saved[saved["used"]]["goodput"] if saved.get("used") else 0.0
        if goodput and up:
            inputs = {"accelerator_hour": owned, "node_availability": up, "goodput": goodput}
            formula = "accelerator_hour / (node_availability x goodput)"
            name = f"productive_accelerator_hour_{job['workload']}"
            figures[name] = Figure(owned / (up * goodput), unit, formula, inputs, total.missing)
    return figures


def _availability(study: Mapping[str, Any]) -> float:
    """Share of nodes that are up, over all pools; 0 without a study."""
    pools = study.get("pools", [])
    nodes = sum(pool["nodes"] for pool in pools)
    return sum(pool["nodes"] * pool["node_availability"] for pool in pools) / nodes if nodes else 0.0


def _sensitivity(design: Design, pue: PueFigure, total: Figure) -> list[dict[str, Any]]:
    """Total cost with one input lower and higher by a fifth; inputs keep within what they can be."""
    economics = design.site.economics
    price = economics.energy_price_per_kwh
    base = figures.energy(design, pue).value
    if price is None or base is None or total.value is None:
        return []
    rows = []
    for name, value, low, high in (
        ("energy_price_per_kwh", price, 0.0, float("inf")),
        ("utilization", economics.utilization, 0.0, 1.0),
        ("pue", pue.value, 1.0, float("inf")),
    ):
        tried = [min(max(value * factor, low), high) for factor in (1 - SENSITIVITY_SHARE, 1 + SENSITIVITY_SHARE)]
        costs = [_energy_cost_with(design, pue, name, varied_value) for varied_value in tried]
        totals = [total.value + (cost - base) * economics.years for cost in costs]
        rows.append({"input": name, "value": value, "tried": tried, "totals": totals})
    return rows


def _energy_cost_with(design: Design, pue: PueFigure, name: str, value: float) -> float:
    """Energy cost of a year with one input changed."""
    varied = replace(pue, value=value) if name == "pue" else pue
    utilization = value if name == "utilization" else None
    price = value if name == "energy_price_per_kwh" else None
    return figures.energy(design, varied, utilization, price).value or 0.0


def _describe_cost(design: Design, total: Figure) -> str:
    economics = design.site.economics
    if total.value is None:
        return "Nothing is known of prices; give them under economics."
    lacking = f", without {', '.join(total.missing)}" if total.missing else ""
    return f"{economics.currency} {total.value:,.0f} over {economics.years} years{lacking}."
