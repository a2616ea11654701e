"""Power supplies, fans and temperatures of switches. None means that a switch does not report a value, never that it is good."""

from __future__ import annotations

from rackwright.model.base import Record

WELL = "OK"
"""State of a part with which nothing is wrong."""


class SwitchPart(Record):
    """A power supply or a fan of a switch."""

    name: str
    state: str | None
    """`WELL`, or what the switch reports about it."""


class SwitchTemperature(Record):
    """A sensor of a switch, or of a module in one of its ports."""

    name: str
    celsius: float | None
    most: float | None
    """Where the switch itself warns, in degrees Celsius; None where it does not tell."""


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
    temperatures: list[SwitchTemperature]
    modules: list[SwitchTemperature]
    """Modules that have a sensor."""


class SubnetSwitches(Record):
    """The InfiniBand switches that a machine for subnet managers reaches, queried over the fabric."""

    switches: dict[str, SwitchHealth]
    """By node GUID."""
    unread: dict[str, str]
    """Switches, or own devices (``mlx5_0``), that were not read -> why."""
