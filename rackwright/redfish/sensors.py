"""Sensors from Redfish documents: from collections of sensors, and from the older Thermal what those lack. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text
from rackwright.model.evidence.bmc import Sensor
from rackwright.redfish.readings import FANS
from rackwright.redfish.resources.chassis import Chassis
from rackwright.redfish.resources.links import links, members
from rackwright.redfish.resources.sensor import SensorResource

View = Mapping[str, Mapping[str, Any]]
INTAKE = "Intake"
INLETS = Path(__file__).with_name("inlets.yaml")
NUMBER = re.compile(r"^\d+ ")
BETWEEN = re.compile(r"[^a-z0-9]+")


def sensors(documents: View, chassis: Sequence[Chassis]) -> tuple[list[Sensor] | None, int]:
    """Every sensor that is there, and how many are listed but were not read; None when no chassis offers any."""
    readings: list[SensorResource] = []
    unread, offered = 0, False
    for unit in chassis:
        read = members(documents, unit.sensors)
        offered |= unit.sensors in documents or unit.thermal in documents
        unread += len(links(documents.get(unit.sensors) or {}, "Members")) - len(read)
        newer = [SensorResource.of(document) for document in read]
        readings += [*newer, *_older(documents.get(unit.thermal) or {}, newer)]
    present = [reading for reading in readings if reading.status.present and reading.status.state != "Disabled"]
    return ([_sensor(reading) for reading in _placed(present)] if offered else None), unread


def _older(thermal: Mapping[str, Any], newer: Sequence[SensorResource]) -> Iterator[SensorResource]:
    """Temperatures and fans of Thermal, each kind only where the chassis has no sensor of it: most BMCs list them in both."""
    kinds = {reading.kind for reading in newer}
    if "Temperature" not in kinds:
        yield from (SensorResource.of_temperature(entry) for entry in thermal.get("Temperatures") or [])
    if not kinds & FANS:
        yield from (SensorResource.of_fan(entry) for entry in thermal.get("Fans") or [])


def _placed(readings: Sequence[SensorResource]) -> Iterator[SensorResource]:
    """The readings, with the place Intake for the inlet alone, where one has the name of an inlet."""
    inlets = {reading.name for reading in readings if reading.kind == "Temperature" and is_inlet(reading.name)}
    for reading in readings:
        if reading.name in inlets:
            yield reading._replace(place=INTAKE)
        elif inlets and reading.place == INTAKE:
            yield reading._replace(place="")
        else:
            yield reading


def is_inlet(name: str) -> bool:
    """Whether a maker calls the sensor at the inlet of a machine `name`."""
    return NUMBER.sub("", BETWEEN.sub(" ", name.lower()).strip()) in _names()


@cache
def _names() -> frozenset[str]:
    data = yaml_text.load(INLETS.read_text(encoding="utf-8"))
    return frozenset(row["name"] for row in data["names"])


def _sensor(reading: SensorResource) -> Sensor:
    return Sensor.unvalidated(
        name=reading.name,
        kind="Rotational" if reading.kind in FANS else reading.kind,
        place=reading.place,
        reading=reading.reading,
        unit=reading.unit,
        health=reading.status.health,
        lower_critical=reading.lower_critical,
        upper_critical=reading.upper_critical,
    )
