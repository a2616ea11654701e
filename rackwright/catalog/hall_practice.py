"""Limits for air, pipes and clearances in every hall, read from ``hall_practice.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Record
from rackwright.model.sku import Source

Amount = Annotated[float, Field(gt=0)]


class RackAirflow(Record):
    """Air as it is moved through racks."""

    density_kg_per_m3: Amount
    heat_capacity_j_per_kg_k: Amount


class Pipe(Record):
    """A standard pipe size."""

    name: str
    """Nominal size (``DN150``)."""
    bore_millimeters: Amount


class HallPractice(Record):
    """Everything of ``hall_practice.yaml``."""

    air: RackAirflow
    uncontained_rack_kw: Amount
    """Air heat of one rack that aisles without containment support."""
    coldest_supply_air_celsius: float
    warmest_supply_air_celsius: float
    """Air that equipment of the widest class takes in; each server has limits of its own within."""
    freeze_margin_kelvin: Amount
    """A coolant's freezing point lies at least this far below the coldest place of its loop."""
    boils_at_celsius: Amount
    cable_room_millimeters: Amount
    """Depth of a rack that doors, rails and cables take from the device, front and rear together."""
    pipe_roughness_millimeters: Amount
    pipes: list[Pipe]
    """Stainless steel pipes from thin to thick."""
    sources: list[Source]


@cache
def load() -> HallPractice:
    """``hall_practice.yaml`` as its record."""
    return read_record("hall_practice", HallPractice)
