"""What a chassis draws and may draw.

Schemas: https://redfish.dmtf.org/schemas/v1/EnvironmentMetrics.json, and the older Power.json (PowerControl)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.numbers import maybe

OFF = {"Disabled", "Override"}
"""Modes of a control in which its set point counts for nothing (Control.json, ControlModes)."""
HARMLESS = {"NoAction", "LogEventOnly"}
"""What is done where the limit is exceeded (Power.json, PowerLimitException): nothing that holds the machine back."""
HARD = {"HardPowerOff"}


class PowerLimit(NamedTuple):
    """What we read of draw and limit."""

    watts: float | None
    limit_watts: float | None
    is_reported: bool
    """Whether the document says anything of a limit."""

    @classmethod
    def of(cls, metrics: Mapping[str, Any], power: Mapping[str, Any]) -> PowerLimit:
        """From EnvironmentMetrics, else from the older Power; either may be empty."""
        control = metrics.get("PowerLimitWatts")
        first: Mapping[str, Any] = next(iter(power.get("PowerControl") or []), {})
        watts = maybe((metrics.get("PowerWatts") or {}).get("Reading"))
        if watts is None:
            watts = maybe(first.get("PowerConsumedWatts")) if first else _total(power)
        if isinstance(control, Mapping) and "SetPoint" in control:
            return cls(watts, _set_point(control), is_reported=True)
        older = first.get("PowerLimit")
        if isinstance(older, Mapping):
            return cls(watts, _older(older, watts), is_reported=True)
        return cls(watts, None, is_reported=False)


def _total(power: Mapping[str, Any]) -> float | None:
    """What Inspur reports beside the schema, with an empty PowerControl (mrlhansen/idrac_exporter, pull request 174)."""
    oem = power.get("Oem")
    public = oem.get("Public") if isinstance(oem, Mapping) else None
    return maybe(public.get("TotalPower")) if isinstance(public, Mapping) else None


def _set_point(control: Mapping[str, Any]) -> float | None:
    """The limit in force: none where it is switched off, or stands at the top of what may be set. The default is what it would be reset to."""
    limit, most = maybe(control.get("SetPoint")), maybe(control.get("AllowableMax"))
    at_top = limit is not None and most is not None and limit >= most
    return None if control.get("ControlMode") in OFF or at_top else limit


def _older(control: Mapping[str, Any], watts: float | None) -> float | None:
    """As `_set_point`. A machine that draws more than what would power it off is not under that limit."""
    limit, exception = maybe(control.get("LimitInWatts")), control.get("LimitException")
    survived = exception in HARD and limit is not None and watts is not None and watts > limit
    return None if exception in HARMLESS or survived else limit
