"""Cooling of a finished design: table ``cooling``, rows of ``losses``, ``studies["cooling"]`` and the plant's parts."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from rackwright.catalog import Catalog
from rackwright.design.cooling import table
from rackwright.design.cooling.lose import all_losses, rows
from rackwright.design.cooling.plant import loops
from rackwright.design.cooling.study import study
from rackwright.model.design import Design
from rackwright.model.facility import Facility
from rackwright.model.parts import Part


def add(design: Design, catalog: Catalog) -> Design:
    """`design` with its cooling plant."""
    fitted = replace(design, plant_parts=design.plant_parts | _parts(design.site.facility, catalog))
    found = loops(fitted)
    told = study(fitted, catalog, found)
    detectors = {one["sku"]: catalog.leak_detectors[one["sku"]] for one in told["leak_detectors"]}
    return replace(
        fitted,
        plant_parts=fitted.plant_parts | detectors,
        cooling=table.rows(found),
        losses=pl.concat([fitted.losses, rows(all_losses(fitted))]),
        studies=fitted.studies | {"cooling": told},
    )


def _parts(facility: Facility, catalog: Catalog) -> dict[str, Part]:
    parts: dict[str, Part] = {}
    if facility.liquid:
        parts |= {one.sku: catalog.cdus[one.sku] for one in facility.liquid.cdus}
        parts[facility.liquid.coolant] = catalog.coolants[facility.liquid.coolant]
    if facility.air:
        parts |= {one.sku: catalog.crahs[one.sku] for one in facility.air.crahs}
    return parts
