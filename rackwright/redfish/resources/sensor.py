"""A sensor of a chassis.

Schemas: https://redfish.dmtf.org/schemas/v1/Sensor.json, and the older Thermal.json with temperatures and fans in one document
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.status import Status
from rackwright.redfish.resources.text_members import word


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
        kind = word(document, "ReadingType")
        # A counter only grows: what AMI gives as thresholds of energy is the range of its IPMI record.
        thresholds = {} if kind.startswith("Energy") else field("Thresholds") or {}
        lower, upper = thresholds.get("LowerCritical"), thresholds.get("UpperCritical")
        return cls(
            name=word(document, "Name") or word(document, "Id"),
            kind=kind,
            place=word(document, "PhysicalContext"),
            reading=maybe(field("Reading")),
            unit=word(document, "ReadingUnits"),
            status=Status.of(document),
            lower_critical=maybe(lower.get("Reading")) if lower else None,
            upper_critical=maybe(upper.get("Reading")) if upper else None,
        )

    @classmethod
    def of_temperature(cls, entry: Mapping[str, Any]) -> SensorResource:
        """The record of an entry of Thermal.Temperatures."""
        return cls(
            name=word(entry, "Name"),
            kind="Temperature",
            place=word(entry, "PhysicalContext"),
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
            name=word(entry, "Name") or word(entry, "FanName"),
            kind="Percent" if percent else "Rotational",
            place="Fan",
            reading=maybe(entry.get("Reading")),
            unit="%" if percent else "RPM",
            status=Status.of(entry),
            lower_critical=maybe(entry.get("LowerThresholdCritical")),
            upper_critical=maybe(entry.get("UpperThresholdCritical")),
        )
