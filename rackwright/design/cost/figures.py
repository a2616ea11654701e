"""Every figure of the cost study with its formula and its inputs, so that a person can follow it with a calculator.

A figure whose input nobody declared has no value and
says which input is missing; nothing is counted as zero.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from rackwright.catalog import cost_reference
from rackwright.design.cost.pue import PueFigure
from rackwright.design.cost.terms import MONTHS, energy_kwh_per_year, paid
from rackwright.model.design import Design
from rackwright.model.economics import Economics

PLANT = ("ups", "busway", "cdu", "crah", "coolant", "leak_detector")
"""Kinds of parts that a price per watt of facility covers."""


@dataclass(frozen=True)
class Figure:
    """One number; None when `missing` names what would be needed."""

    value: float | None
    unit: str
    formula: str
    inputs: dict[str, Any] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """The figure as JSON-ready data."""
        return asdict(self)


@dataclass(frozen=True)
class Draw:
    """Power in watts."""

    peak: float
    design: float


def draw(design: Design) -> Draw:
    """Peak IT load, and the load of a busy day."""
    peak = design.totals["it_kw"] * 1000
    return Draw(peak, peak * design.site.facility.power.design_share)


def hardware(design: Design) -> Figure:
    """Price of everything that stands in racks, spares included; plant parts are those of the facility."""
    return _priced_figure(design.bill.filter(~pl.col("kind").is_in(PLANT)), design, "sum of the bill without plant")


def facility(design: Design) -> Figure:
    """Price of building, power and cooling: per watt of peak IT load, else the sum of the plant parts in the bill."""
    economics, peak = design.site.economics, draw(design).peak
    if economics.facility_price_per_watt is not None:
        price = economics.facility_price_per_watt
        inputs = {"peak_it_watts": peak, "facility_price_per_watt": price}
        return Figure(peak * price, economics.currency, "peak_it_watts x facility_price_per_watt", inputs)
    plant = design.bill.filter(pl.col("kind").is_in(PLANT))
    figure = _priced_figure(plant, design, "sum of plant parts in the bill; the building is not in it")
    missing = [*figure.missing, "economics.facility_price_per_watt"]
    return Figure(figure.value, figure.unit, figure.formula, figure.inputs, missing)


def energy(design: Design, pue: PueFigure, utilization: float | None = None, price: float | None = None) -> Figure:
    """Energy cost of a year; `utilization` and `price` stand in for the declared ones."""
    economics = design.site.economics
    share = economics.utilization if utilization is None else utilization
    cost = economics.energy_price_per_kwh if price is None else price
    kwh = energy_kwh_per_year(draw(design).design, share, pue.value)
    inputs = {
        "design_draw_watts": draw(design).design,
        "utilization": share,
        "pue": pue.value,
        "kwh_per_year": kwh,
        "energy_price_per_kwh": cost,
    }
    formula = "design_draw_watts / 1000 x utilization x pue x 8766 h x energy_price_per_kwh"
    unit = f"{economics.currency} per year"
    if cost is None:
        return Figure(None, unit, formula, inputs, ["economics.energy_price_per_kwh"])
    return Figure(kwh * cost, unit, formula, inputs)


def operation(design: Design) -> Figure:
    """Staff and upkeep of a year."""
    price, peak = design.site.economics.opex_per_watt_month, draw(design).peak
    formula = "peak_it_watts x opex_per_watt_month x 12"
    return _yearly(design.site.economics, peak, price, "peak_it_watts", "opex_per_watt_month", formula, MONTHS)


def repair(design: Design, hardware_price: float | None) -> Figure:
    """Repairs of a year, as a share of the hardware price."""
    share = design.site.economics.repair_share_per_year
    formula = "hardware_price x repair_share_per_year"
    return _yearly(design.site.economics, hardware_price, share, "hardware_price", "repair_share_per_year", formula, 1)


def write_off(figure: Figure, life: float, economics: Economics) -> Figure:
    """The part of a purchase that falls into the years of the study."""
    inputs = {
        "price": figure.value,
        "life_years": life,
        "years": economics.years,
        "interest_per_year": economics.interest_per_year,
    }
    formula = "price x min(years, life_years) / life_years; with interest monthly payments of an annuity"
    if figure.value is None:
        return Figure(None, economics.currency, formula, inputs, figure.missing)
    value = paid(figure.value, life, economics.years, economics.interest_per_year)
    return Figure(value, economics.currency, formula, inputs, figure.missing)


def facility_life(economics: Economics) -> int:
    """Years over which the facility is written off: declared, else those of the published model."""
    return economics.facility_years or cost_reference.load().warehouse_scale.facility_years


def _priced_figure(lines: pl.DataFrame, design: Design, formula: str) -> Figure:
    priced = lines.filter(pl.col("price").is_not_null())
    missing = lines.filter(pl.col("total").is_null())["sku"].unique(maintain_order=True).to_list()
    value = float(priced["total"].sum()) if len(priced) else None
    inputs = {"lines": len(lines), "lines_with_price": len(priced)}
    return Figure(value, design.site.economics.currency, formula, inputs, [f"price of {sku}" for sku in missing])


def _yearly(
    economics: Economics, base: float | None, rate: float | None, base_name: str, name: str, formula: str, times: int
) -> Figure:
    inputs, unit = {base_name: base, name: rate}, f"{economics.currency} per year"
    missing = ([f"economics.{name}"] if rate is None else []) + ([base_name] if base is None else [])
    value = base * rate * times if base is not None and rate is not None else None
    return Figure(value, unit, formula, inputs, missing)
