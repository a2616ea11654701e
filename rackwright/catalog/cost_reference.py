"""Published power usage effectiveness and running costs, read from ``cost_reference.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Name, Positive, Record
from rackwright.model.sku import Source

Share = Annotated[float, Field(gt=0, le=1)]


class PueSurvey(Record):
    """Average power usage effectiveness of a year's survey."""

    name: Name
    year: Positive
    pue: Annotated[float, Field(ge=1)]


class WarehouseScale(Record):
    """Inputs of the model of a warehouse-scale computer, in US dollars."""

    energy_price_per_kwh: float
    interest_per_year: Share
    server_years: Positive
    facility_price_per_watt: float
    facility_years: Positive
    opex_per_watt_month: float
    pue: Annotated[float, Field(ge=1)]
    repair_share_per_year: Share
    average_draw_share: Share


class CostReference(Record):
    """Everything of ``cost_reference.yaml``."""

    pue_surveys: list[PueSurvey]
    warehouse_scale: WarehouseScale
    sources: list[Source]

    @property
    def survey(self) -> PueSurvey:
        """The latest survey."""
        return max(self.pue_surveys, key=lambda survey: survey.year)


@cache
def load() -> CostReference:
    """``cost_reference.yaml`` as its record."""
    return read_record("cost_reference", CostReference)
