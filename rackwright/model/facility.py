"""The building as its owner declares it: halls, power from feed to rack, liquid and air cooling. Nothing is derived."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from rackwright.model.base import Name, Positive, Record
from rackwright.model.texts import DeviceName as Feed
from rackwright.model.texts import Sku

NotNegative = Annotated[int, Field(ge=0)]


class CableTray(Record):
    """Trays of data cables: equal above every row and across the aisles."""

    width_mm: Positive
    depth_mm: Positive
    """Loading depth: the height to which cables may lie."""
    count: Positive = 1
    """Trays side by side or above each other, over which the cables are spread."""
    pull_section_meters: Annotated[float, Field(gt=0)] | None = None
    """Between places where the crew takes cables up while it pulls them; pulled from end to end when empty."""


class Hall(Record):
    """A room with rows of racks."""

    name: Name
    rows: Positive
    racks_per_row: Positive
    supply_air_celsius: float = 24.0
    floor_load_kg_per_rack: Positive = 1500
    rack: Sku = "rack-48u-1200"
    """SKU of the racks in this hall."""
    feeds: list[Feed] = []
    """Feeds of ``facility.power.feeds`` that reach it; all of them when empty."""
    air_kw_per_rack: Positive | None = None
    """Heat that the air of a place carries away; racks of switches and control servers are filled no further. Open when empty."""
    cable_tray: CableTray | None = None
    """Its trays; one of a usual size is assumed when empty."""


class Circuit(Record):
    """One rack circuit. Usable kW = sqrt(phases) * volts * amps * derating * power_factor / 1000 (three-phase)."""

    volts: Positive
    amps: Positive
    phases: Literal[1, 3]
    derating: Annotated[float, Field(gt=0, le=1)] = 0.8
    power_factor: Annotated[float, Field(gt=0, le=1)] = 0.95

    @property
    def usable_watts(self) -> float:
        """Continuous watts: derated apparent power times the power factor."""
        return math.sqrt(self.phases) * self.volts * self.amps * self.derating * self.power_factor


class PowerLosses(Record):
    """How many of each may fail at once, one kind at a time."""

    feeds: NotNegative = 1
    ups: NotNegative = 0
    """UPS modules of one feed."""
    pdus: NotNegative = 0
    """Rack PDUs (or busway taps) of one rack."""
    psus: NotNegative = 0
    """Power supplies of one device; a lost feed counts separately."""


class PowerCap(Record):
    """The most that all servers of one SKU draw: a limit that the site sets on their BMCs or accelerators."""

    server: Sku
    watts: Positive
    applies: Literal["always", "after-loss"] = "always"
    """``after-loss``: once a supply of the server, or a shelf of its busbar, has no power; until then it draws its peak."""
    throughput_share: Annotated[float, Field(gt=0, le=1)] | None = None
    """Share of the throughput of its jobs that is left under the cap, as the site measured it; open when empty."""


class UpsSet(Record):
    """UPS modules behind each feed."""

    sku: Sku
    per_feed: Positive
    minutes: Annotated[float, Field(gt=0)] | None = None
    """For which the batteries of a module carry its full load, as they were ordered."""
    bridge_minutes: Annotated[float, Field(gt=0)] | None = None
    """For which they must carry their feed: until generators do, or until jobs are saved and machines stopped. Not judged when empty."""


class Power(Record):
    """Feeds into the halls, the equipment between them and the racks, and the circuit that each feed gives to each rack."""

    feeds: Annotated[list[Feed], Field(min_length=1)]
    feed_kw: Positive
    survive: PowerLosses = PowerLosses()
    caps: list[PowerCap] = []
    """Servers that draw less than their peak, always or after a loss; power and cooling are sized for what is left."""
    circuit: Circuit
    ups: UpsSet | None = None
    busway: Sku | None = None
    """SKU of the busway above each row and feed; none when circuits come from panels."""
    rack_pdu: Sku | None = None
    """SKU of the rack PDU that ends each circuit; none when devices plug into the circuit itself."""
    circuits_per_rack: Positive | None = None
    """Circuits that one place takes at most, of all feeds together; racks of switches and control servers are filled no further. Open when empty."""
    management: Literal["none", "redfish"] = "none"
    """What rack PDUs and power shelves answer to: with ``redfish`` they get addresses on the out-of-band network, and are read and judged."""
    design_share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the peak that the site is expected to draw on a busy day; circuits and feeds are sized for the peak."""


class CduSet(Record):
    """Equal coolant distribution units of one hall, together on its loop."""

    sku: Sku
    count: Positive
    hall: Name | None = None
    """The hall they serve; the first when empty."""


class LiquidLosses(Record):
    """How many of each may fail at once."""

    cdus: NotNegative = 1
    pumps: NotNegative = 1
    """Pumps of one CDU."""


class FacilityWater(Record):
    """Water that carries the heat of the CDUs out of the building."""

    supply_celsius: float
    delta_t_kelvin: Annotated[float, Field(gt=0)]


class Liquid(Record):
    """Liquid cooling of the halls."""

    cdus: Annotated[list[CduSet], Field(min_length=1)]
    survive: LiquidLosses = LiquidLosses()
    coolant: Sku = "pg25"
    """Coolant SKU."""
    supply_celsius: float
    """Coolant temperature at the racks' inlet."""
    delta_t_kelvin: Annotated[float, Field(gt=0)]
    """Rise of the coolant through the racks."""
    facility_water: FacilityWater | None = None
    loop_pressure_kpa: Annotated[float, Field(gt=0)] | None = None
    """Pressure that the farthest rack and the way to it cost at the design flow, from the hydraulic calculation; worked
    out from the racks' parts and straight pipes when empty."""
    leak_detection: Literal["none", "rack", "row", "rack-and-row"] = "none"
    """Where leak detectors with isolation valves sit."""
    leak_reaction: Literal["None", "GracefulShutdown", "ForceOff"] | None = None
    """What the leak detectors of the CDUs must be set to do about a leak, as Redfish has it (LeakDetector, CriticalReactionType); not compared when empty."""
    leak_warning_reaction: Literal["None", "GracefulShutdown", "ForceOff"] | None = None
    """The same about a warning (WarningReactionType)."""
    leak_reaction_delay_seconds: NotNegative | None = None
    """How long they must be set to wait before they react (ReactionDelaySeconds); not compared when empty."""
    management: Literal["none", "redfish"] = "none"
    """What the CDUs answer to: with ``redfish`` they get addresses on the out-of-band network, and are read and judged, with
    the leak detectors that are wired to them."""


class CrahSet(Record):
    """Equal air handlers of one hall."""

    sku: Sku
    count: Positive
    hall: Name | None = None
    """The hall they serve; the first when empty."""


class AirLosses(Record):
    """How many may fail at once."""

    crahs: NotNegative = 1


class Air(Record):
    """Air cooling of the halls."""

    crahs: Annotated[list[CrahSet], Field(min_length=1)]
    survive: AirLosses = AirLosses()
    containment: Literal["none", "cold-aisle", "hot-aisle"] = "none"
    delta_t_kelvin: Annotated[float, Field(gt=0)] = 11.0
    """Rise of the air through servers that state no airflow of their own."""


class RackPlace(Record):
    """A rack put on a given place instead of the next free one."""

    rack: Name
    hall: Name
    row: Positive
    position: Positive


class Route(Record):
    """The cable route between two halls."""

    halls: Annotated[list[Name], Field(min_length=2, max_length=2)]
    meters: Annotated[float, Field(gt=0)]
    """From the tray at the end of the rows in one hall to that in the other."""


class Facility(Record):
    """Halls, power and cooling."""

    halls: Annotated[list[Hall], Field(min_length=1)]
    power: Power
    liquid: Liquid | None = None
    air: Air | None = None
    racks: list[RackPlace] = []
    """Places of racks with a fixed position; all others fill rows in order."""
    routes: list[Route] = []
    """Cable routes between halls; without one, cables between those halls have no known length."""
