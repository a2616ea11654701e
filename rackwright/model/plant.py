"""Parts of the building: power from UPS to outlet, and cooling. Read from ``rackwright/catalog/<kind>/<sku>.yaml``."""

from __future__ import annotations

from typing import Literal

from rackwright.model.base import Record
from rackwright.model.sku import Sku
from rackwright.model.texts import Label


class Ups(Sku):
    """A UPS module."""

    kind: Literal["ups"]
    kw: float
    efficiency: float
    """At half load, double conversion."""


class Busway(Sku):
    """A busbar trunking above a row with tap-off boxes."""

    kind: Literal["busway"]
    amps: int
    volts: int
    phases: Literal[1, 3]


class OutletGroup(Record):
    """Equal outlets of a rack PDU."""

    type: Label
    """IEC 60320 or NEMA name (``C19``)."""
    count: int
    amps: float


class Pdu(Sku):
    """A rack PDU, mounted beside the rack units."""

    kind: Literal["pdu"]
    volts: int
    """Line to line."""
    amps: int
    phases: Literal[1, 3]
    outlets: list[OutletGroup]
    weight_kg: float


class PowerShelf(Sku):
    """A shelf of rectifiers that feeds the busbar of a rack."""

    kind: Literal["power_shelf"]
    rack_units: int
    weight_kg: float
    psus: int
    watts_each: int
    volts: float
    """Of the busbar."""
    needed_share: float
    """Share of the shelves of a rack that must run at the peak load (0.75: three of four)."""


class Capacity(Record):
    """What a coolant distribution unit can move at one approach temperature (coolant supply minus water supply)."""

    approach_kelvin: float
    kw: float


class Cdu(Sku):
    """A coolant distribution unit."""

    kind: Literal["cdu"]
    capacities: list[Capacity]
    """Capacity by approach, rising with it."""
    liters_per_minute: float
    pressure_kpa: float
    """Pressure available to the racks at that flow."""
    pumps: int
    pumps_needed: int
    power_watts: int
    """Draw of pumps and controls at full flow."""
    min_supply_celsius: float | None = None
    max_supply_celsius: float | None = None


class Crah(Sku):
    """A computer room air handler."""

    kind: Literal["crah"]
    kw: float
    """Sensible cooling."""
    airflow_cfm: float
    fan_watts: int


class Coolant(Sku):
    """A liquid in a cooling loop, at about 30 degrees Celsius."""

    kind: Literal["coolant"]
    density_kg_per_m3: float
    heat_capacity_j_per_kg_k: float
    viscosity_mpa_s: float | None = None
    freezes_at_celsius: float


class LeakDetector(Sku):
    """A leak detector with its isolation valve."""

    kind: Literal["leak_detector"]
    covers_meters: float
    """Length of rope or manifold that one covers."""
