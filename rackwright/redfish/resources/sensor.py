"""A sensor of a chassis.

Schemas: https://redfish.dmtf.org/schemas/v1/Sensor.json, and the older Thermal.json with temperatures and fans in one document
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.status import Status


class SensorResource(NamedTuple):
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
    def of(cls, document: Mapping[str, Any]) -> SensorResource:
        """The record of a Sensor `document`."""
        field = document.get
        thresholds = field("Thresholds") or {}
        lower, upper = thresholds.get("LowerCritical"), thresholds.get("UpperCritical")
        return cls(
            name=str(field("Name") or field("Id") or ""),
            kind=str(field("ReadingType") or ""),
            place=str(field("PhysicalContext") or ""),
            reading=maybe(field("Reading")),
            unit=str(field("ReadingUnits") or ""),
            status=Status.of(document),
            lower_critical=maybe(lower.get("Reading")) if lower else None,
            upper_critical=maybe(upper.get("Reading")) if upper else None,
        )

    @classmethod
    def of_temperature(cls, entry: Mapping[str, Any]) -> SensorResource:
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
    def of_fan(cls, entry: Mapping[str, Any]) -> SensorResource:
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
