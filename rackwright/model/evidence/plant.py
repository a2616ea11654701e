"""Readings of rack PDUs, power shelves and CDUs (Redfish). None means that a value is not reported; it is never zero."""

from __future__ import annotations

from typing import ClassVar

from rackwright.model.base import Record
from rackwright.model.evidence.bmc import Detector


class PlantUnit(Record):
    """Maker, model, serial number and firmware of a rack PDU or CDU."""

    reading_name: ClassVar[str] = "Unit"

    manufacturer: str
    model: str
    serial: str
    firmware: str
    health: str
    """``OK``, ``Warning``, ``Critical``; empty where it is not reported."""


class PowerLine(Record):
    """One line of a circuit."""

    reading_name: ClassVar[str] = "Line"

    amps: float | None
    volts: float | None
    """To neutral where the circuit has one, else to the next line."""
    watts: float | None


class PowerCircuit(Record):
    """An inlet or a branch of a PDU."""

    name: str
    breaker: str
    """``Normal``, ``Tripped``, ``Off`` (BreakerState); empty for an inlet without breaker."""
    health: str
    lines: dict[str, PowerLine]
    """``L1`` ... by line; one of them for a single phase."""
    rated_amps: float | None = None
    """What it may carry, after any de-rating (RatedCurrentAmps); None where it is not reported."""
    nominal: str = ""
    """Voltage that it is made for, ``AC200To240V`` (NominalVoltage); empty where it is not reported."""
    wiring: str = ""
    """``ThreePhase5Wire``: three lines, neutral and protective earth (PhaseWiringType); empty where it is not reported."""


class Outlet(Record):
    """One outlet."""

    name: str
    state: str
    """``On``, ``Off`` (PowerState); empty where it cannot be switched."""
    watts: float | None
    nominal: str = ""
    """As of a circuit."""


class RackPower(Record):
    """One rack PDU."""

    unit: PlantUnit
    watts: float | None
    """Of the whole PDU."""
    mains: list[PowerCircuit] | None
    branches: list[PowerCircuit] | None
    outlets: list[Outlet] | None
    unread: int
    """Parts that it lists and that were not read."""


class Rectifier(Record):
    """One power supply of a power shelf."""

    name: str
    state: str
    """``Enabled``, ``StandbySpare``, ``UnavailableOffline`` (Status.State); empty where it is not reported."""
    health: str
    switched_on: bool | None
    """Whether its output is switched on; None where the maker does not report it."""
    input: str
    """``Normal``, ``LossOfInput``, ``OutOfRange`` (LineInputStatus); empty where it is not reported."""
    input_volts: float | None
    output_watts: float | None
    capacity_watts: float | None = None
    """What it can deliver (PowerCapacityWatts); None where it is not reported."""


class ShelfPower(Record):
    """One power shelf."""

    reading_name: ClassVar[str] = "Shelf"

    unit: PlantUnit
    watts: float | None
    """Of the whole shelf."""
    mains: list[PowerCircuit] | None
    rectifiers: list[Rectifier] | None
    redundancy: str
    """Health of the group of rectifiers; empty where there is none."""
    unread: int
    """Parts that it lists and that were not read."""
    needed: int | None = None
    """Rectifiers without which its group is not redundant (MinNeededInGroup); None where it is not reported."""


class Connector(Record):
    """One side of a CDU: facility water (primary) or coolant (secondary)."""

    name: str
    supply_celsius: float | None
    """Towards the consumer: on the secondary side what the racks get."""
    return_celsius: float | None
    liters_per_minute: float | None
    pressure_kpa: float | None
    """Difference between supply and return."""


class Pump(Record):
    """One pump."""

    name: str
    state: str
    """``Enabled``, ``StandbySpare``, ``UnavailableOffline`` (Status.State)."""
    health: str
    speed_percent: float | None


class Reservoir(Record):
    """One reservoir."""

    name: str
    level_percent: float | None
    status: str
    """``OK``, ``Low``, ``High`` (FluidLevelStatus); empty where it is not reported."""


class CoolantReading(Record):
    """One CDU."""

    reading_name: ClassVar[str] = "Coolant"

    unit: PlantUnit
    primary: list[Connector] | None
    secondary: list[Connector] | None
    pumps: list[Pump] | None
    reservoirs: list[Reservoir] | None
    leak_detectors: list[Detector] | None
    unread: int
