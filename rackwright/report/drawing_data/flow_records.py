"""The records of the power diagram and of the cooling drawings; figures are peak loads in kilowatts."""

from __future__ import annotations

from rackwright.model.base import Record
from rackwright.report.drawing_data.records import CoolingMachine, PowerSource


class PowerWay(Record):
    """The busways or row PDUs of one feed above one branch; figures of all of them together."""

    sku: str
    count: int
    load_kw: float
    capacity_kw: float
    worst_kw: float


class Tap(Record):
    """All circuits of one feed that end in one branch."""

    feed: int
    names: list[str]
    """First and last circuit; without the name of the rack where the branch is one rack."""
    circuits: int
    load_kw: float
    usable_kw: float
    """Sums over the circuits."""
    worst_share: float
    """Load of the fullest circuit after the worst loss that must be survived, as a share of what it can carry."""
    phase_kw: list[float]
    """Sums of the three phases (between lines on low voltages)."""
    way: PowerWay | None


class Branch(Record):
    """One line of the single-line diagram: a rack, equal rows of racks, or a hall."""

    name: str
    racks: int
    kw: float
    pdus: int
    shelves: int
    taps: list[Tap]


class SingleLine(Record):
    """Power from the feeds to the racks."""

    sources: list[PowerSource]
    branches: list[Branch]
    per: str
    """Meaning of a branch: rack, row or hall."""
    circuit: str
    """Rating of one circuit in words."""
    pdu: str
    """SKU of the rack PDUs, empty when there are none."""
    survives: str
    losses: list[str]
    """Sentences on the losses that were simulated, worst first."""


class Cooled(Record):
    """Heat of a rack, a row, or one of several equal rows, into coolant and air."""

    name: str
    racks: int
    liquid_racks: int
    liquid_kw: float
    air_kw: float
    liters_per_minute: float
    cfm: float


class Water(Record):
    """The coolant loop of a hall and the facility water behind it; unknown values are None."""

    coolant: str
    supply_celsius: float
    return_celsius: float
    approach_kelvin: float | None
    facility_supply_celsius: float | None
    facility_return_celsius: float | None
    facility_liters_per_minute: float | None
    water_class: str
    header: str
    """Pipe of the header in words."""
    leak_detection: str


class Cooling(Record):
    """Heat of one hall, from the racks out of it."""

    hall: str
    machines: list[CoolingMachine]
    branches: list[Cooled]
    per: str
    """Meaning of a branch: rack or row."""
    water: Water | None
    """None where nothing is cooled by liquid."""
    liquid_kw: float
    air_kw: float
    liters_per_minute: float
    cfm: float
    air_supply_celsius: float
    containment: str
    losses: list[str]
