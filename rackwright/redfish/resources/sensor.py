"""A sensor of a chassis.

Schemas: https://redfish.dmtf.org/schemas/v1/Sensor.json, and the older Thermal.json with temperatures and fans in one document
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.status import Status


class Sensor(NamedTuple):
    """What we read of a sensor."""

    name: str
    kind: str
    place: str
    reading: float | None
    unit: str
    status: Status
    lower_critical: float | None
    upper_critical: float | None

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Sensor:
        """The record of a Sensor `document`."""
        thresholds = document.get("Thresholds") or {}
        return cls(
            name=str(document.get("Name") or document.get("Id") or ""),
            kind=str(document.get("ReadingType") or ""),
            place=str(document.get("PhysicalContext") or ""),
            reading=maybe(document.get("Reading")),
            unit=str(document.get("ReadingUnits") or ""),
            status=Status.of(document),
            lower_critical=maybe((thresholds.get("LowerCritical") or {}).get("Reading")),
            upper_critical=maybe((thresholds.get("UpperCritical") or {}).get("Reading")),
        )

    @classmethod
    def of_temperature(cls, entry: Mapping[str, Any]) -> Sensor:
        """The record of an entry of Thermal.Temperatures."""
        return cls(
            name=str(entry.get("Name") or ""),
            kind="Temperature",
            place=str(entry.get("PhysicalContext") or ""),
            reading=maybe(entry.get("ReadingCelsius")),
            unit="Cel",
            status=Status.of(entry),
            lower_critical=maybe(entry.get("LowerThresholdCritical")),
            upper_critical=maybe(entry.get("UpperThresholdCritical")),
        )

    @classmethod
    def of_fan(cls, entry: Mapping[str, Any]) -> Sensor:
        """The record of an entry of Thermal.Fans."""
        percent = entry.get("ReadingUnits") == "Percent"
        return cls(
            name=str(entry.get("Name") or entry.get("FanName") or ""),
            kind="Percent" if percent else "Rotational",
            place="Fan",
            reading=maybe(entry.get("Reading")),
            unit="%" if percent else "RPM",
            status=Status.of(entry),
            lower_critical=maybe(entry.get("LowerThresholdCritical")),
            upper_critical=maybe(entry.get("UpperThresholdCritical")),
        )
