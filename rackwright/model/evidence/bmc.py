"""Readings of the BMC of one machine (Redfish)."""

from __future__ import annotations

from typing import ClassVar

from rackwright.model.base import Record


class NicPort(Record):
    """One network port as the BMC inventories it."""

    adapter: str
    """Redfish NetworkAdapter id, as each maker numbers them: ``DevType7_NIC0``, ``NIC.Slot.2``, ``slot-27``, ``1``."""
    port_guid: str | None
    """InfiniBand port GUID, ``0x`` and 16 hex digits."""
    mac: str | None
    card: str = ""
    """Serial number of the adapter; empty where it is not reported."""
    slot: str = ""
    """Where it sits, as the housing is labelled (``PCIe Slot 1``); empty where it is not reported."""


class Heard(Record):
    """The neighbour at the other end of a cable (LLDP)."""

    system: str
    port: str


class Sensor(Record):
    """One sensor; None where the BMC does not report a value."""

    name: str
    kind: str
    """``Temperature``, ``Rotational``, ``Percent``, ``Power``, ``Voltage`` … (ReadingType)."""
    place: str
    """What it stands at: ``Intake``, ``CPU``, ``Fan`` … (PhysicalContext); empty where it is not reported. Intake is the inlet of the machine:
    where a sensor has the name of one, no other has that place."""
    reading: float | None
    unit: str
    health: str
    lower_critical: float | None = None
    upper_critical: float | None = None


class Supply(Record):
    """One power supply."""

    name: str
    health: str
    state: str
    input: str
    """``Normal``, ``LossOfInput``, ``OutOfRange`` (LineInputStatus); empty where it is not reported."""


class Detector(Record):
    """One leak detector."""

    name: str
    state: str
    """``OK``, ``Warning``, ``Critical``, ``Unavailable`` (DetectorState)."""
    health: str
    reaction: str = ""
    """What it does about a leak: ``None``, ``GracefulShutdown``, ``ForceOff`` (CriticalReactionType); empty where it is not reported."""
    warning_reaction: str = ""
    """The same about a warning (WarningReactionType)."""
    reaction_delay_seconds: float | None = None
    """How long it waits before it reacts; None where it is not reported."""


class LogEntry(Record):
    """One entry of the system event log."""

    identity: str
    created: str
    severity: str
    """``OK``, ``Warning``, ``Critical``."""
    message: str
    resolved: bool
    """True if an operator has marked it as resolved (LogEntry.Resolved)."""


class BmcEvidence(Record):
    """Inventory and health."""

    reading_name: ClassVar[str] = "Bmc"

    manufacturer: str
    model: str
    serial: str
    power_state: str
    bios_version: str
    bmc_version: str
    health: str
    """Redfish Status.HealthRollup: ``OK``, ``Warning``, ``Critical``; empty where it is not reported."""
    cpu_count: int
    memory_gib: float
    gpu_models: list[str]
    nic_ports: list[NicPort]
    psus_ok: int
    psus_total: int
    boot_override: str
    """BootSourceOverrideTarget (``None``, ``Pxe`` …); empty where the BMC has no boot override."""
    own_ports: dict[str, Heard | None] | None = None
    """Ports of the BMC itself, each with what it hears; None: the BMC does not report them."""
    sensors: list[Sensor] | None = None
    """None: the BMC offers none."""
    sensors_unread: int = 0
    """Sensors that it lists and that were not read: the number of requests has a bound."""
    supplies: list[Supply] | None = None
    leak_detectors: list[Detector] | None = None
    log: list[LogEntry] | None = None
    """Entries of the event log, in its order; None: there is none that can be read."""
    log_complete: bool = True
    """False when it has more entries than were read."""
    power_watts: float | None = None
    """What the chassis draws."""
    power_limit_watts: float | None = None
    """Limit in force."""
    power_limit_known: bool = False
    """True when the BMC says whether there is a limit; with `power_limit_watts` None it says that there is none."""
    psu_redundancy: str | None = None
    """Health of the group of supplies (PowerSupplyRedundancy.Status, or Redundancy of the older Power)."""
    read_at: str = ""
    """When the clock of the BMC was read, by the clock of the reading machine (ISO 8601); empty where that was not noted."""
    clock_offset_seconds: float | None = None
    """How far the clock of the BMC was ahead of it; None where the BMC does not say its time."""
    unread: dict[str, str] = {}
    """By part (``sensors``, ``supplies``, ``log`` …): documents of it that were not read, and why."""
