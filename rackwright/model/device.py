"""Devices in racks whose place, power and heat are planned, and nothing else."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model import texts
from rackwright.model.base import Name, Positive, Record
from rackwright.model.server import Airflow, Psus
from rackwright.model.sourced import Sku
from rackwright.model.texts import Line

FIGURES = ("rack_units", "weight_kg", "peak_watts", "psus")
"""What must be known of a device before it can be placed and powered."""
Amount = Annotated[float, Field(gt=0)]


class InventoryDevice(Sku):
    """A device without a published driver or tool: it is placed, powered, drawn and bought, and nothing of it is set up or judged."""

    kind: Literal["device"]
    purpose: Literal["memory", "fabric"]
    """Memory that several hosts share, or a network between hosts."""
    not_judged: Line
    """Why nothing of it is set up or judged."""
    rack_units: Positive | None = None
    """None where nobody publishes it, as all that follows: the site then states it."""
    weight_kg: Amount | None = None
    peak_watts: Positive | None = None
    psus: Psus | None = None
    depth_mm: int = 0
    """0 where none is published."""
    airflow: Airflow = "front-to-rear"
    memory_tib: Amount | None = None
    """Memory that it holds at most."""
    hosts: Positive | None = None
    """Hosts that can be plugged into it at once."""


class UnmanagedDevices(Record):
    """Equal devices of racks that rackwright neither sets up nor judges. Figures that the catalog lacks stand here, from the papers of the maker."""

    name: Name
    device: texts.Sku
    """SKU of a device."""
    count: Positive
    rack_units: Positive | None = None
    """Of one device; that of the SKU when empty, as all that follows."""
    weight_kg: Amount | None = None
    peak_watts: Positive | None = None
    psus: Psus | None = None
    """Power supplies of one device."""
