"""Cooling of a finished design: table ``cooling``, rows of ``losses``, ``studies["cooling"]`` and the plant's parts."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from rackwright.catalog import Catalog
from rackwright.design.cooling import table
from rackwright.design.cooling.loss import all_losses, rows
from rackwright.design.cooling.plant import loops
from rackwright.design.cooling.study import study
from rackwright.model.design import Design
from rackwright.model.facility import Facility
from rackwright.model.parts import Part


def add_cooling(design: Design, catalog: Catalog) -> Design:
    """`design` with its cooling plant."""
    fitted = replace(design, plant_parts=design.plant_parts | _parts(design.site.facility, catalog))
    plant_loops = loops(fitted)
    figures = study(fitted, catalog, plant_loops)
    detectors = {detector["sku"]: catalog.leak_detectors[detector["sku"]] for detector in figures["leak_detectors"]}
    return replace(
        fitted,
        plant_parts=fitted.plant_parts | detectors,
        cooling=table.rows(plant_loops),
        losses=pl.concat([fitted.losses, rows(all_losses(fitted))]),
        studies=fitted.studies | {"cooling": figures},
    )


def _parts(facility: Facility, catalog: Catalog) -> dict[str, Part]:
    parts: dict[str, Part] = {}
    if facility.liquid:
        parts |= {units.sku: catalog.cdus[units.sku] for units in facility.liquid.cdus}
        parts[facility.liquid.coolant] = catalog.coolants[facility.liquid.coolant]
    if facility.air:
        parts |= {units.sku: catalog.crahs[units.sku] for units in facility.air.crahs}
    return parts
