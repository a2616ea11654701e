"""What things cost and how often they break, as the owner of the site declares it. Nothing is derived."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rackwright.model.base import Name, Positive, Record
from rackwright.model.texts import Currency, Day, PriceKey

Price = Annotated[float, Field(ge=0)]
Years = Annotated[int, Field(gt=0, le=100)]


class Economics(Record):
    """Prices and terms. Prices are in one currency, taken from the site alone; the catalog's list prices are a hint."""

    currency: Currency = "USD"
    prices: dict[PriceKey, Price] = {}
    """Price of one piece, by SKU; ``SKU@METRES`` for one length of a cable, ``SKU:PART`` for a part that is bought only
    as a spare of a device (``dgx-h100:psu``; cpu, ssd and chassis likewise). 0 for what comes with something else."""
    use_list_prices: bool = False
    """True: a part without a price here is taken at the catalog's list price, where it has one."""
    energy_price_per_kwh: Price | None = None
    pue: Annotated[float, Field(ge=1)] | None = None
    """Power usage effectiveness; derived from the declared cooling plant when empty."""
    utilization: Annotated[float, Field(gt=0, le=1)] = 0.8
    """Average draw as a share of the design draw, which is the peak times ``facility.power.design_share``."""
    years: Years = 3
    """Years that are reckoned, and over which the hardware is written off."""
    facility_price_per_watt: Price | None = None
    """Building, power and cooling per watt of peak IT load; prices of their parts are then taken as part of it."""
    facility_years: Years | None = None
    """Years over which they are written off; those of the published model (20) when empty."""
    interest_per_year: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """What the money costs; 0 counts purchase prices alone."""
    opex_per_watt_month: Price | None = None
    """Staff and upkeep of the facility, per watt of peak IT load, without energy."""
    repair_share_per_year: Annotated[float, Field(ge=0, le=1)] | None = None
    """Yearly repair cost as a share of the hardware price."""


class Operations(Record):
    """How the site is run: what availability and the number of spares follow from."""

    repair_hours: Annotated[float, Field(gt=0, le=8766)] = 24.0
    """From the failure of a node to its return, a spare part at hand."""
    restart_minutes: Annotated[float, Field(gt=0, le=100_000)] = 10.0
    """From the interruption of a job to its first step after the checkpoint."""
    spare_delivery_days: Annotated[float, Field(gt=0, le=3660)] = 14.0
    spare_confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    """Probability that a spare is on the shelf when one is needed."""


class Phase(Record):
    """A phase of deployment: some scalable units of a pool, from delivery to handover."""

    name: Name
    pool: Name
    scalable_units: Positive
    start: Day
    """ISO date on which racks are delivered."""


class Deployment(Record):
    """Phases, and how fast the crews work."""

    phases: list[Phase] = []
    racks_per_day: Positive = 8
    cables_per_day: Positive = 400
    nodes_per_day: Positive = 64
    """Nodes onboarded and handed to acceptance per day."""
    acceptance_days: Annotated[int, Field(ge=0)] = 0
    """Days from the onboarding of a scalable unit to its handover, for soak tests; 0 when that day is enough."""
