"""Classes of facility water, practice figures of cooling, and published PUE, read from ``water_classes.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Name, Positive, Record
from rackwright.model.sku import Source

Amount = Annotated[float, Field(gt=0)]


class WaterClass(Record):
    """A class of facility water supply."""

    name: str
    """``W17`` ... ``W45``, ``W+``."""
    max_supply_celsius: float | None
    """Warmest supply of the class; None for W+, which has no limit."""
    heat_rejection: str
    """What usually makes water of this class."""


class Pue(Record):
    """A published power usage effectiveness."""

    name: Name
    year: Positive
    pue: Annotated[float, Field(ge=1)]


class Practice(Record):
    """Figures of a design guide for a first sizing; a site's own temperatures decide."""

    liters_per_minute_per_kw: Amount
    """Coolant flow per kW of heat into the liquid."""
    cfm_per_kw: Amount
    """Airflow per kW of heat into contained air."""
    cdu_approach_kelvin: Amount
    """Coolant supply minus facility-water supply at which CDU capacity is taken."""
    dry_cooler_approach_kelvin: Amount
    """Facility-water supply minus outdoor dry bulb."""
    max_pipe_meters_per_s: Amount


class WaterClasses(Record):
    """Everything of ``water_classes.yaml``."""

    classes: list[WaterClass]
    """From the coldest to the warmest."""
    practice: Practice
    pues: list[Pue]
    sources: list[Source]

    def of(self, supply_celsius: float) -> WaterClass:
        """The class that water of this supply temperature belongs to: the coldest whose limit is not below it."""
        limits = ((water_class, water_class.max_supply_celsius) for water_class in self.classes)
        return next(water_class for water_class, limit in limits if limit is None or supply_celsius <= limit)


@cache
def load() -> WaterClasses:
    """``water_classes.yaml`` as its record."""
    return read_record("water_classes", WaterClasses)
