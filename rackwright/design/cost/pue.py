"""Power usage effectiveness of the site: declared, derived from its plant, or that of a survey."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from rackwright.catalog import Catalog, cost_reference
from rackwright.model.design import Design
from rackwright.model.plant import Ups

KW = 1000.0


@dataclass(frozen=True)
class PueFigure:
    """Facility power divided by IT power."""

    value: float
    basis: Literal["declared", "derived", "survey"]
    source: str
    inputs: dict[str, Any]


def of_design(design: Design, catalog: Catalog) -> PueFigure:
    """The declared PUE; else (IT + cooling plant + UPS losses) / IT at the design draw; else the latest survey's."""
    declared = design.site.economics.pue
    if declared is not None:
        return PueFigure(declared, "declared", "site economics.pue", {})
    it_kw = design.totals["it_kw"] * design.site.facility.power.design_share
    plant_kw = design.studies.get("cooling", {}).get("plant_kw", 0.0)
    if plant_kw and it_kw:
        lost = _ups_losses_kw(design, catalog)
        inputs = {"it_kw": it_kw, "cooling_plant_kw": plant_kw, "ups_losses_kw": lost}
        source = "derived from the declared CDUs and CRAHs and the UPS; heat rejection outside the halls is not in it"
        return PueFigure((it_kw + plant_kw + lost) / it_kw, "derived", source, inputs)
    survey = cost_reference.load().survey
    return PueFigure(survey.pue, "survey", f"survey {survey.name}; the site declares no PUE and no cooling plant", {})


def _ups_losses_kw(design: Design, catalog: Catalog) -> float:
    """Load x (1 / efficiency - 1) of every UPS module, at the design draw; 0 where the site declares none."""
    share = design.site.facility.power.design_share
    rows = design.power.lazy().filter(pl.col("kind") == "ups").group_by("sku").agg(pl.col("load_watts").sum()).collect()
    lost = 0.0
    for sku, watts in rows.iter_rows():
        part = design.plant_parts.get(sku) or catalog.ups.get(sku)
        if isinstance(part, Ups):
            lost += watts * share * (1 / part.efficiency - 1)
    return lost / KW
