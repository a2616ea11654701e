"""The design step that fills the tables ``power`` and ``losses`` and the power study."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from rackwright.catalog import Catalog, power_practice
from rackwright.design.power.capacity import Floats, kilovolt_amperes, usable_watts
from rackwright.design.power.contingencies import contingencies
from rackwright.design.power.loss_sentence import describe_loss
from rackwright.design.power.phase_balance import imbalance, phase_watts
from rackwright.design.power.survey import Survey, survey_power
from rackwright.design.power.tree import power_tree
from rackwright.model.design import Design
from rackwright.model.parts import Part
from rackwright.model.schemas import SCHEMAS


def add_power(design: Design, catalog: Catalog) -> Design:
    """`design` with its power tree, simulated losses, the parts of the plant, and ``studies["power"]``."""
    design = replace(design, plant_parts={**design.plant_parts, **_parts(design, catalog)})
    survey = survey_power(design)
    power = power_tree(design, survey)
    losses = pl.concat([design.losses, _losses(survey)])
    studies = {**design.studies, "power": _study(design, power)}
    return replace(design, power=power, losses=losses, studies=studies)


def _parts(design: Design, catalog: Catalog) -> dict[str, Part]:
    power = design.site.facility.power
    parts: list[Part] = []
    parts += [catalog.ups[power.ups.sku]] if power.ups else []
    parts += [catalog.busways[power.busway]] if power.busway else []
    parts += [catalog.pdus[power.rack_pdu]] if power.rack_pdu else []
    shelves = (rack.power_shelf for rack in design.rack_parts.values())
    parts += [catalog.power_shelves[sku] for sku in shelves if sku in catalog.power_shelves]
    return {part.sku: part for part in parts}


def _losses(survey: Survey) -> pl.DataFrame:
    rows = []
    for trial in contingencies(survey):
        after = survey.after(trial.outage)
        counts = (after.count(survey.grid, "nodes"), after.count(survey.grid, "accelerators"))
        share = round(after.share(survey.grid), 4)
        tail = (after.survives, trial.must, describe_loss(survey, trial, after))
        rows.append(("power", trial.kind, trial.name, *counts, share, *tail))
    return pl.DataFrame(rows, schema=SCHEMAS["losses"], orient="row")


def _study(design: Design, power: pl.DataFrame) -> dict[str, Any]:
    """Figures of the site and of every feed; kW of nameplate, peak and a busy day."""
    circuit = design.site.facility.power.circuit
    raw, derated = kilovolt_amperes(circuit)
    feeds = power.filter(pl.col("kind") == "feed")
    phases = phase_watts(design)
    practice = power_practice.load()
    return {
        "circuit_raw_kva": round(raw, 3),
        "circuit_derated_kva": round(derated, 3),
        "circuit_usable_kw": round(usable_watts(circuit) / 1000, 3),
        "nameplate_kw": _kilowatts(float(feeds["nameplate_watts"].sum())),
        "peak_kw": _kilowatts(float(feeds["load_watts"].sum())),
        "design_kw": _kilowatts(float(feeds["design_watts"].sum())),
        "circuits": design.circuits.height,
        "supplies": design.psus.height,
        "elements": dict(power.group_by("kind", maintain_order=True).len().iter_rows()),
        "phase_imbalance_allowed": practice.phase_imbalance_share,
        "phase_imbalance_source": practice.source("phase_imbalance_share"),
        "feeds": {row["element"]: _feed(row, phases[row["element"]]) for row in feeds.iter_rows(named=True)},
    }


def _feed(row: dict[str, Any], phases: Floats) -> dict[str, Any]:
    return {
        "capacity_kw": _kilowatts(row["capacity_watts"]),
        "nameplate_kw": _kilowatts(row["nameplate_watts"]),
        "peak_kw": _kilowatts(row["load_watts"]),
        "design_kw": _kilowatts(row["design_watts"]),
        "worst_kw": _kilowatts(row["worst_watts"]),
        "worst_loss": row["worst_loss"],
        "headroom_kw": _kilowatts(row["capacity_watts"] - row["worst_watts"]),
        "phase_kw": [_kilowatts(float(watts)) for watts in phases],
        "phase_imbalance_share": round(imbalance(phases), 4),
    }


def _kilowatts(watts: float) -> float:
    return round(watts / 1000, 3)
