"""Power supplies, fans and temperatures of switches. None means that a switch does not report a value, never that it is good."""

from __future__ import annotations

from rackwright.model.base import Record
from rackwright.model.evidence.temperature_table import SwitchTemperature as SwitchTemperature
from rackwright.model.evidence.temperature_table import TemperatureTable

WELL = "OK"
"""State of a part with which nothing is wrong."""


class SwitchPart(Record):
    """A power supply or a fan of a switch."""

    name: str
    state: str | None
    """`WELL`, or what the switch reports about it."""


class SwitchHealth(Record):
    """One switch."""

    switch: str
    """The name that it gives itself."""
    model: str
    """Part number."""
    serial: str
    firmware: str
    supplies: list[SwitchPart]
    fans: list[SwitchPart]
    temperatures: TemperatureTable
    modules: TemperatureTable
    """Modules that have a sensor."""


class SubnetSwitches(Record):
    """The InfiniBand switches that a machine for subnet managers reaches, queried over the fabric."""

    switches: dict[str, SwitchHealth]
    """By node GUID."""
    unread: dict[str, str]
    """Switches, or own devices (``mlx5_0``), that were not read -> why."""
