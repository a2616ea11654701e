"""The records that drawings are made from: small, ready to be written as JSON, in the units that are printed.

Kilowatts are peak loads. Whatever is equal and stands side by side is one record with a count, so that a site of
thousands of racks stays small.
"""

from __future__ import annotations

from rackwright.model.base import Record


class FaceSlot(Record):
    """One device of a rack, with the cables plugged in at its rear."""

    device: str
    kind: str
    role: str
    sku: str
    unit: int
    """Lowest rack unit, counted from 1 at the bottom."""
    rack_units: int
    kw: float
    kg: float
    airflow: str
    liquid: bool
    circuits: list[str]
    """Circuit of each power supply, without the name of the rack (``A1``)."""
    phases: list[str]
    """Phase of each power supply, with its outlet where the rack PDU has numbered ones."""
    feeds: list[int]
    """Feed of each power supply, as its place in the list of feeds."""
    cables: dict[str, int]
    """Cables by fabric."""
    ports: str
    """Switches: one character per port, ``1`` with a cable and ``0`` without."""


class FaceStrip(Record):
    """One circuit of a rack, or the rack PDU that ends it."""

    circuit: str
    feed: int
    load_kw: float
    usable_kw: float


class Shelf(Record):
    """A power shelf with the circuits of its rectifiers."""

    name: str
    circuits: list[str]
    feeds: list[int]
    kw: float
    """What its rectifiers can give together."""
    unit: int
    """Lowest rack unit."""
    rack_units: int


class Face(Record):
    """Both sides of one rack."""

    rack: str
    place: str
    sku: str
    rack_units: int
    kw: float
    liquid_kw: float
    kg: float
    limit_kg: float | None
    slots: list[FaceSlot]
    strips: list[FaceStrip]
    """Circuits in order of their feeds."""
    pdu: str
    """SKU of the rack PDUs; empty when devices plug into the circuits."""
    shelves: list[Shelf]
    """Power shelves, for which the design sets no rack unit."""
    busbar_amps: int
    leak_detector: bool
    alike: list[str]
    """Every rack with the same content, this one included, in design order."""


class FloorRun(Record):
    """Equal racks side by side in a row; `free` places have no name."""

    position: int
    count: int
    first: str
    last: str
    kind: str
    kw: float
    air_kw: float
    liquid_kw: float
    kg: float
    """Figures of one rack."""


class Row(Record):
    """One row of a hall."""

    number: int
    racks: int
    kw: float
    air_kw: float
    liquid_kw: float
    runs: list[FloorRun]


class CoolingMachine(Record):
    """Equal machines of the cooling plant that share a load; figures of one."""

    names: list[str]
    kind: str
    sku: str
    capacity_kw: float
    load_kw: float
    worst_kw: float
    flow: float
    flow_capacity: float
    worst_flow: float
    """Litres per minute for a CDU, CFM for an air handler."""


class PowerSource(Record):
    """One feed with its UPS."""

    feed: str
    capacity_kw: float
    load_kw: float
    worst_kw: float | None
    worst_loss: str
    ups: int
    ups_sku: str
    ups_kw: float
    """Capacity of one module."""
    ups_load_kw: float
    ups_worst_kw: float
    """Of the fullest module."""


class HallPicture(Record):
    """One hall from above."""

    name: str
    places_per_row: int
    rows: list[Row]
    racks: int
    kw: float
    liquid_kw: float
    floor_kg: float
    supply_celsius: float
    containment: str
    machines: list[CoolingMachine]
    sources: list[PowerSource]
    """Feeds; `load_kw` is what this hall draws of each."""
