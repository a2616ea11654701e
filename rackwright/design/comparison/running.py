"""Figures of operation: rules, interruptions, cost, time to build."""

from __future__ import annotations

from collections import Counter

from rackwright.design import rules
from rackwright.design.comparison.figure import Figures, study_value
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome

PERCENT = 100
COSTS = {
    "capex": "purchase",
    "energy_per_year": "energy a year",
    "operation_per_year": "operation a year",
    "repair_per_year": "repair a year",
    "total": "total",
    "accelerator_hour": "accelerator-hour",
}
"""Figures of the cost study, and their names here."""


def verdicts(design: Design) -> Figures:
    """Findings of the design rules by outcome."""
    outcomes = Counter(verdict.outcome for verdict in rules.run_rules(design))
    bad = (Outcome.FAIL, Outcome.DEGRADED, Outcome.INCONCLUSIVE)
    return {("design rules", outcome.value): (outcomes[outcome], "") for outcome in bad}


def availability(design: Design) -> Figures:
    """How often it breaks, and the share of time available for work."""
    study = design.studies.get("availability", {})
    site = study.get("site", {})
    figures: Figures = {
        ("availability", "interruptions"): (site.get("interruptions_per_day"), "per day"),
        ("availability", "time between them"): (site.get("mtbi_hours"), "h"),
    }
    for pool in study.get("pools", []):
        figures["availability", f"{pool['pool']} nodes down"] = (pool["nodes_down"], "")
        figures["availability", f"{pool['pool']} spare nodes"] = (pool["spare_nodes"], "")
    for job in study.get("workloads", []):
        saved = job["checkpoint"] or {}
        used = saved.get("used")
        goodput = saved[used]["goodput"] * PERCENT if used else None
        figures["availability", f"{job['workload']} interrupted every"] = (job["mtbi_hours"], "h")
        figures["availability", f"{job['workload']} goodput"] = (goodput, "%")
    return figures


def cost(design: Design) -> Figures:
    """Cost figures; an amount that lacks prices says how many, because it is too low then."""
    study = design.studies.get("cost", {})
    figures: Figures = {("cost", "years"): (study.get("years"), "")}
    for name, label in COSTS.items():
        figure = study.get("figures", {}).get(name, {})
        figures["cost", label] = (figure.get("value"), study.get("currency", ""))
    missing = study.get("figures", {}).get("total", {}).get("missing", [])
    return figures | {("cost", "inputs missing in total"): (len(missing), "")}


def deployment(design: Design) -> Figures:
    """How long it takes to build."""
    phases = design.studies.get("deployment", {}).get("phases", [])
    ready = max((phase["accepted"] for phase in phases), default=None)
    return {
        ("deployment", "whole site, step by step"): (study_value(design, "deployment", "whole_site", "days"), "days"),
        ("deployment", "all phases accepted"): (ready, ""),
    }
