"""Readings of rack PDUs and CDUs from Redfish documents; pure, on stored documents as well as on fresh ones.

A resource that is not offered gives None, never an empty list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from rackwright.base.errors import OutsideError
from rackwright.model.evidence.plant import (
    Connector,
    CoolantReading,
    Outlet,
    PlantUnit,
    PowerCircuit,
    PowerLine,
    Pump,
    RackPower,
    Reservoir,
)
from rackwright.redfish import readings, unread
from rackwright.redfish.resources.links import link, links, members
from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.service_root import SERVICE_ROOT
from rackwright.redfish.resources.status import Status
from rackwright.redfish.resources.text_members import word

Document = Mapping[str, Any]
View = Mapping[str, Document]
Part = TypeVar("Part")
LINES = {"L1": ("Line1", "Line1ToNeutral", "Line1ToLine2"), "L2": ("Line2", "Line2ToNeutral", "Line2ToLine3"),
         "L3": ("Line3", "Line3ToNeutral", "Line3ToLine1")}  # fmt: skip
"""Names of the members of PolyPhaseCurrentAmps, and of PolyPhaseVoltage and PolyPhasePowerWatts (Circuit.v1_8_0)."""


def rack_power(documents: View) -> RackPower:
    """The record of the one rack PDU behind an address. Raises OutsideError when no document describes exactly one."""
    documents, _ = unread.sound(documents)
    unit = _only_member(documents, ("PowerEquipment", "RackPDUs"), "rack PDU")
    metrics = documents.get(link(unit, "Metrics")) or {}
    parts = [_listed_documents(documents, link(unit, name)) for name in ("Mains", "Branches", "Outlets")]
    return RackPower(
        unit=plate(unit),
        watts=_reading(metrics, "PowerWatts"),
        mains=_every_record(parts[0], _circuit),
        branches=_every_record(parts[1], _circuit),
        outlets=_every_record(parts[2], _outlet),
        unread=sum(_unread_count(documents, link(unit, name)) for name in ("Mains", "Branches", "Outlets")),
    )


def coolant(documents: View) -> CoolantReading:
    """The record of the one CDU behind an address. Raises OutsideError when no document describes exactly one."""
    documents, _ = unread.sound(documents)
    unit = _only_member(documents, ("ThermalEquipment", "CDUs"), "CDU")
    names = ("PrimaryCoolantConnectors", "SecondaryCoolantConnectors", "Pumps", "Reservoirs")
    primary, secondary, pumps, reservoirs = (_listed_documents(documents, link(unit, name)) for name in names)
    detection = documents.get(link(unit, "LeakDetection")) or {}
    detectors = link(detection, "LeakDetectors")
    return CoolantReading(
        unit=plate(unit),
        primary=_every_record(primary, _connector),
        secondary=_every_record(secondary, _connector),
        pumps=_every_record(pumps, _pump),
        reservoirs=_every_record(reservoirs, _reservoir),
        leak_detectors=list(readings.leak_records(documents, detection)) if detection else None,
        unread=sum(_unread_count(documents, path) for path in (*(link(unit, name) for name in names), detectors)),
    )


def circuits(documents: View, path: str) -> list[PowerCircuit] | None:
    """The circuits of the collection at `path`; None where it is not offered."""
    return _every_record(_listed_documents(documents, path), _circuit)


def first_reading(documents: Sequence[Document], name: str) -> float | None:
    """The sensor excerpt `name` of the first document that has it."""
    return next((value for document in documents if (value := _reading(document, name)) is not None), None)


def _only_member(documents: View, way: tuple[str, str], noun: str) -> Document:
    service = link(documents.get(SERVICE_ROOT) or {}, way[0])
    documents_ = members(documents, link(documents.get(service) or {}, way[1]))
    if len(documents_) != 1:
        raise OutsideError(
            f"{len(documents_)} documents describe a {noun}, expected one: ask each controller by its own address"
        )
    return documents_[0]


def _listed_documents(documents: View, path: str) -> list[Document] | None:
    return members(documents, path) if path in documents else None


def _every_record(units: Sequence[Document] | None, record: Callable[[Document], Part]) -> list[Part] | None:
    return None if units is None else [record(document) for document in units if Status.of(document).present]


def _unread_count(documents: View, path: str) -> int:
    return len(links(documents.get(path) or {}, "Members")) - len(members(documents, path))


def plate(document: Document) -> PlantUnit:
    """Maker, model, serial number, firmware and health of a unit."""
    return PlantUnit(
        manufacturer=word(document, "Manufacturer"),
        model=word(document, "Model"),
        serial=word(document, "SerialNumber"),
        firmware=word(document, "FirmwareVersion"),
        health=Status.of(document).rollup or Status.of(document).health,
    )


def _circuit(document: Document) -> PowerCircuit:
    poly = {name: document.get(f"PolyPhase{name}") or {} for name in ("CurrentAmps", "Voltage", "PowerWatts")}
    lines = {}
    for name, (line, neutral, between) in LINES.items():
        amps, volts = _reading(poly["CurrentAmps"], line), _first(poly["Voltage"], neutral, between)
        watts = _first(poly["PowerWatts"], neutral, between)
        if (amps, volts, watts) != (None, None, None):
            lines[name] = PowerLine(amps=amps, volts=volts, watts=watts)
    if not lines:
        amps, volts, watts = (_reading(document, name) for name in ("CurrentAmps", "Voltage", "PowerWatts"))
        lines = {"L1": PowerLine(amps=amps, volts=volts, watts=watts)}
    return PowerCircuit(
        name=_name(document),
        breaker=word(document, "BreakerState"),
        health=Status.of(document).health,
        lines=lines,
        rated_amps=maybe(document.get("RatedCurrentAmps")),
        nominal=word(document, "NominalVoltage"),
        wiring=word(document, "PhaseWiringType"),
    )


def _outlet(document: Document) -> Outlet:
    return Outlet(
        name=_name(document),
        state=word(document, "PowerState"),
        watts=_reading(document, "PowerWatts"),
        nominal=word(document, "NominalVoltage"),
    )


def _connector(document: Document) -> Connector:
    return Connector(
        name=_name(document),
        supply_celsius=_reading(document, "SupplyTemperatureCelsius"),
        return_celsius=_reading(document, "ReturnTemperatureCelsius"),
        liters_per_minute=_reading(document, "FlowLitersPerMinute"),
        pressure_kpa=_reading(document, "DeltaPressurekPa"),
    )


def _pump(document: Document) -> Pump:
    status = Status.of(document)
    speed = _reading(document, "PumpSpeedPercent")
    return Pump(name=_name(document), state=status.state, health=status.health, speed_percent=speed)


def _reservoir(document: Document) -> Reservoir:
    level = _reading(document, "FluidLevelPercent")
    return Reservoir(name=_name(document), level_percent=level, status=word(document, "FluidLevelStatus"))


def _name(document: Document) -> str:
    return word(document, "UserLabel") or word(document, "Name") or word(document, "Id")


def _reading(document: Document, name: str) -> float | None:
    """A sensor excerpt (``{"Reading": 3.1}``)."""
    value = document.get(name)
    return maybe(value.get("Reading")) if isinstance(value, Mapping) else None


def _first(document: Document, *names: str) -> float | None:
    return next((value for name in names if (value := _reading(document, name)) is not None), None)
